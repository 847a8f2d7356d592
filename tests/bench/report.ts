/** Figures, what they are held against, and the table of both. */

/** One line of the report. Without a bar it only informs; with `skipped` it could not be measured. */
export interface Figure {
  readonly figure: string;
  readonly ours: number;
  /** Empty for what is only counted. */
  readonly unit: "ms" | "/s" | "MiB/s" | "MiB" | "bytes" | "×" | "";
  /** What ours is compared with, in the same unit. */
  readonly against?: { readonly name: string; readonly value: number };
  /** A bound on the ratio where there is something to compare with, on the figure itself otherwise. */
  readonly bar?: { readonly kind: "at most" | "at least"; readonly value: number };
}

/** A figure that could not be measured, and why. */
export interface Skipped {
  readonly figure: string;
  readonly skipped: string;
}

/** What became of a figure. */
export type Verdict = "met" | "missed" | "skipped" | "";

/** Whether a figure keeps its bar. What is not a number keeps none. */
export function judge(row: Figure | Skipped): Verdict {
  if ("skipped" in row) return "skipped";
  if (row.bar === undefined) return "";
  const { kind, value } = row.bar;
  const measured = ratioOf(row) ?? row.ours;
  return (kind === "at most" ? measured <= value : measured >= value) ? "met" : "missed";
}

/** The table, for people. */
export function render(rows: ReadonlyArray<Figure | Skipped>): string {
  const table = [["figure", "ours", "against", "ratio", "bar", ""], ...rows.map(cells)];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ").trimEnd())
    .toSpliced(1, 0, widths.map((width) => "-".repeat(width)).join("-|-"))
    .join("\n");
}

/** The value below which the given share of the values lies; `share` from 0 to 1, nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function ratioOf({ ours, against }: Figure): number | undefined {
  return against === undefined ? undefined : ours / against.value;
}

function cells(row: Figure | Skipped): string[] {
  if ("skipped" in row) return [row.figure, "", "", "", "", `skipped: ${row.skipped}`];
  const { figure, ours, unit, against, bar } = row;
  const ratio = ratioOf(row);
  const sign = bar?.kind === "at most" ? "≤" : "≥";
  return [
    figure,
    show(ours, unit),
    against === undefined ? "" : `${against.name} ${show(against.value, unit)}`,
    ratio === undefined ? "" : ratio.toFixed(2),
    bar === undefined ? "" : `${sign} ${against === undefined ? show(bar.value, unit) : bar.value}`,
    judge(row),
  ];
}

function show(value: number, unit: Figure["unit"]): string {
  const digits = unit === "bytes" || unit === "/s" || unit === ""
    ? 0
    : unit === "ms" && value < 10
    ? 3
    : unit === "×"
    ? 2
    : 1;
  return `${value.toFixed(digits)} ${unit}`;
}
