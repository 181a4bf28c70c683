/** The same quota under another algorithm, so that algorithms can be compared. */
import { type AlgorithmName, and, type Limit, or, printRule, type Rule, toRule } from "sluice";

/** The rule first, then the others, each once. */
export function rulesFor(rule: Rule, algorithms: readonly AlgorithmName[]): readonly Rule[] {
  const rules = [rule, ...algorithms.map((name) => underAlgorithm(rule, name))];
  return [...new Map(rules.map((one) => [printRule(one), one])).values()];
}

/** A precision or a burst goes along where the other algorithm has one. */
export function underAlgorithm(rule: Rule, algorithm: AlgorithmName): Rule {
  if (rule.kind === "limit") return limitUnder(rule, algorithm);
  const join = rule.kind === "and" ? and : or;
  return join(...rule.rules.map((part) => underAlgorithm(part, algorithm)));
}

function limitUnder(limit: Limit, algorithm: AlgorithmName): Rule {
  if (limit.algorithm === algorithm) return limit;
  const { selectors, quota } = limit;
  const takesPrecision = algorithm === "sliding-window" || algorithm === "ar1";
  return toRule({
    selector: selectors.length === 0 ? undefined : selectors.join("+"),
    limit: quota.limit,
    per: quota.span / 1000,
    precision: takesPrecision && quota.precision !== undefined ? quota.precision / 1000 : undefined,
    algorithm,
  });
}
