/** The map that forgets. */
import { deepStrictEqual } from "node:assert/strict";
import { BoundedMap } from "../../../lib/simulator/bounded_map.ts";

Deno.test("BoundedMap forgets its oldest entry when it is full, and setting makes an entry the newest", () => {
  const map = new BoundedMap<string, number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) map.set(key, index);
  deepStrictEqual(map.newestFirst(), [2, 1, 0]);
  map.set("a", 3);
  deepStrictEqual(map.newestFirst(), [3, 2, 1]);
  map.set("d", 4);
  deepStrictEqual([...map], [["c", 2], ["a", 3], ["d", 4]]);
  map.delete("a");
  map.set("e", 5);
  deepStrictEqual([...map.keys()], ["c", "d", "e"]);
});
