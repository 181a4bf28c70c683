/** A decision as response headers: the IETF draft, its earlier forms, and what everybody used before. */
import type { Decision } from "../../decision/decision.js";
import { BadOption, shown } from "../../errors.js";
import { draft11Field } from "./draft-11.js";
import { type EarlierForm, writeEarlier } from "./earlier-drafts.js";
import { type PolicyNames, policySets } from "./policies.js";
import { waitSeconds } from "./structured-field.js";

export type HeaderForm = "draft-11" | EarlierForm;

const FORMS: readonly HeaderForm[] = ["draft-11", "draft-7", "draft-6", "legacy"];

/** By the name of the field. */
export type HeaderFields = { readonly [name: string]: string };

export interface HeaderOptions {
  /** Which form, or several; false for none. "draft-11" when left out. */
  readonly headers?: HeaderForm | readonly HeaderForm[] | false | undefined;
  /** What the limits are called; by their own text when left out. */
  readonly policies?: PolicyNames | undefined;
  /** Stands before the text of a limit, where two gates count the same limit apart. */
  readonly key?: string | undefined;
}

export interface HeaderWriter {
  /** Nothing of a limit that does not apply. On a refusal with Retry-After, unless waiting does not help. */
  fieldsOf(decision: Decision): HeaderFields;
  /** The names of the policies behind the limits that refused. */
  violatedBy(decision: Decision): readonly string[];
}

/** For a decision at hand; who has many makes a writer, which remembers the policies. */
export function headersOf(decision: Decision, options?: HeaderOptions): HeaderFields {
  return writerFor(options).fieldsOf(decision);
}

export function writerFor(options: HeaderOptions | undefined): HeaderWriter {
  return options === undefined ? usual : headerWriter(options);
}

export function headerWriter({ headers = "draft-11", policies, key = "" }: HeaderOptions = {}): HeaderWriter {
  const forms = formsOf(headers);
  const current = forms.includes("draft-11");
  const earlier = forms.filter((form) => form !== "draft-11");
  const hasEarlierPolicy = !current && earlier.some((form) => form !== "legacy");
  const setFor = policySets(checkedNames(policies), key);

  /** What the forms say of the limits. */
  const told = current && earlier.length === 0 ? toldByDraft11 : toldByForms;

  function toldByDraft11(decision: Decision): Record<string, string> {
    const set = setFor(decision.limits);
    if (set.policies.length === 0) return {};
    if (isGuess(decision)) return { "RateLimit-Policy": set.field };
    return { "RateLimit-Policy": set.field, RateLimit: draft11Field(decision, set) };
  }

  function toldByForms(decision: Decision): Record<string, string> {
    const set = setFor(decision.limits);
    const fields: Record<string, string> = {};
    if (set.policies.length === 0) return fields;
    if (current) fields["RateLimit-Policy"] = set.field;
    else if (hasEarlierPolicy) fields["RateLimit-Policy"] = set.earlierField;
    if (isGuess(decision)) return fields;
    if (current) fields["RateLimit"] = draft11Field(decision, set);
    writeEarlier(fields, decision, earlier);
    return fields;
  }

  return {
    fieldsOf(decision) {
      const fields = told(decision);
      const { allowed, retryAfterMs } = decision;
      if (!allowed && Number.isFinite(retryAfterMs))
        fields["Retry-After"] = String(waitSeconds(retryAfterMs));
      return fields;
    },
    violatedBy({ limits, refusedBy }) {
      const { policies, places } = setFor(limits);
      const violated = new Set<string>();
      for (const status of refusedBy) {
        const limit = limits.findIndex((other) => other === status || other.rule === status.rule);
        const policy = policies[places[limit] ?? -1];
        if (policy !== undefined) violated.add(policy.name);
      }
      return [...violated];
    },
  };
}

/** Where a failure policy said yes or no, nobody knows how the limits stand, and only the policies are told. */
function isGuess({ policy }: Decision): boolean {
  return policy === "allow" || policy === "deny";
}

function formsOf(headers: unknown): readonly HeaderForm[] {
  const given: readonly unknown[] = headers === false ? [] : Array.isArray(headers) ? headers : [headers];
  for (const form of given) {
    if (FORMS.includes(form as HeaderForm)) continue;
    throw new BadOption(`headers are ${FORMS.map(shown).join(", ")}, or false, and this is ${shown(form)}.`);
  }
  if (given.includes("draft-11") && given.includes("draft-7")) {
    throw new BadOption("draft-11 and draft-7 give one field, RateLimit, two meanings: choose one of them.");
  }
  return given as readonly HeaderForm[];
}

function checkedNames(policies: PolicyNames | undefined): PolicyNames | undefined {
  const isList = Array.isArray(policies) && policies.every((name) => typeof name === "string");
  if (policies === undefined || typeof policies === "function" || isList) return policies;
  throw new BadOption(
    `policies are names in the order of the limits, or a function, and this is ${shown(policies)}.`,
  );
}

const usual = headerWriter();
