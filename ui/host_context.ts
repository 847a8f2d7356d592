/** Follows what the client says of its looks: theme, colors, room, safe areas. */
/// <reference lib="dom" />
import { applyDocumentTheme, type McpUiHostContext } from "@modelcontextprotocol/ext-apps";

/** Colors that fit only each other: a client that names some of them gets ours. */
const COLORS = [
  "--color-background-primary",
  "--color-background-secondary",
  "--color-text-primary",
  "--color-text-secondary",
  "--color-border-primary",
] as const;
const FREE = ["--font-sans", "--border-radius-md"] as const;
/** What is used of a client's styles. */
export const STYLE_VARIABLES = [...COLORS, ...FREE] as const;

/** Applies a context, as a whole or what changed of it. */
export function followHost(
  { theme, styles, containerDimensions: room, safeAreaInsets: insets }: McpUiHostContext,
): void {
  const { style } = document.documentElement;
  if (theme !== undefined) applyDocumentTheme(theme);
  const variables = styles?.variables;
  if (variables !== undefined) {
    const named = COLORS.every((name) => variables[name] !== undefined) ? STYLE_VARIABLES : FREE;
    for (const name of named) if (variables[name] !== undefined) style.setProperty(name, variables[name]);
  }
  if (room !== undefined) {
    const [height, width] = [limit(room, "height", "maxHeight"), limit(room, "width", "maxWidth")];
    style.setProperty("--room-height", height === undefined ? "none" : `${height}px`);
    style.setProperty("--room-width", width === undefined ? "none" : `${width}px`);
  }
  if (insets !== undefined) {
    for (const side of ["top", "right", "bottom", "left"] as const) {
      style.setProperty(`--inset-${side}`, `${Math.max(0, insets[side])}px`);
    }
  }
}

function limit(room: Readonly<Record<string, unknown>>, exact: string, most: string): number | undefined {
  const value = room[exact] ?? room[most];
  return typeof value === "number" && value > 0 ? value : undefined;
}
