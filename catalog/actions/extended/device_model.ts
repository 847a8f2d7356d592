/** Actions about the device model shown to others, kept for compatibility (机型). */
import type { ActionSpec } from "../../action.ts";
import { string } from "../../params.ts";
import { BOOL, list, NULL, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "_get_model_show",
    category: "extended",
    summary: { en: "Echoes a device model name; looks nothing up.", zh: "获取机型展示（占位，原样返回）" },
    readOnly: true,
    params: {
      model: string({
        en: "Model name to echo; empty yields snowluma.",
        zh: "要原样返回的机型名；为空则返回 snowluma。",
      }, { default: "" }),
    },
    notes: [{ en: "The list always has exactly one element.", zh: "返回的数组恰好一个元素。" }],
    returns: list(object({ variants: object({ model_show: STRING, need_pay: BOOL }) })),
    placeholder: {
      en: "Not a lookup: model_show repeats model (snowluma when empty) and need_pay is always false.",
      zh: "并非真实查询：model_show 即传入的 model（为空则为 snowluma），need_pay 恒为 false。",
    },
    examples: [{ summary: { en: "Echo a model name", zh: "返回机型名" }, params: { model: "Example Phone" } }],
  },
  {
    name: "_set_model_show",
    category: "extended",
    summary: { en: "Accepts a device model to show; does nothing.", zh: "设置机型展示（占位，无实际操作）" },
    params: {},
    returns: NULL,
    placeholder: {
      en: "The call is accepted for compatibility; the shown model does not change.",
      zh: "仅为兼容而接受调用，不会更改展示的机型。",
    },
    examples: [{ summary: { en: "Call it for compatibility", zh: "兼容性调用" }, params: {} }],
  },
];
