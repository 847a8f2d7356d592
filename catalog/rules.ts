/** Builders for what must hold between parameters; the kinds are explained at `Rule`. */
import type { Rule, Text } from "./action.ts";

export function anyOf(params: readonly string[], text: Text): Rule {
  return { check: "any_of", params, text };
}

export function requires(param: string, needs: readonly string[], text: Text): Rule {
  return { check: "requires", param, needs, text };
}

export function requiresWhen(param: string, equals: readonly unknown[], needs: readonly string[], text: Text): Rule {
  return { check: "requires", param, equals, needs, text };
}

export function values(param: string, allowed: readonly unknown[], text: Text): Rule {
  return { check: "values", param, in: allowed, text };
}

export function pattern(param: string, expression: string, text: Text): Rule {
  return { check: "pattern", param, pattern: expression, text };
}

export function lessThan(param: string, than: string, text: Text): Rule {
  return { check: "less_than", param, than, text };
}

export function live(text: Text): Rule {
  return { check: "live", text };
}
