/** What a configuration may say, and how each mistake in it reads. */
import { z } from "zod";
import { describeStore, parseStoreUrl, StoreUrlError } from "../store/store-url.js";
import { mistakeInRule, type RuleMistake } from "./rule-mistake.js";
import { shown, shownNumber } from "./shown.js";
import { IDENTITIES, NAMES, POLICIES } from "./vocabulary.js";

/** Travels with an issue about a rule. */
export interface RuleIssueParams {
  readonly rule: RuleMistake;
}

const expected = (what: string, show: (value: unknown) => string = (value) => shown(value)) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null
      ? `Expected ${what}, and there is nothing.`
      : `Expected ${what}, and this is ${show(input)}.`,
});

/** What is not to be seen in a message. */
const expectedSecret = (what: string) => ({ error: () => `Expected ${what}.` });

const wholeNumber = (least: number, most: number) => {
  const message = expected(
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`,
    shownNumber,
  );
  return z.int(message).min(least, message).max(most, message);
};

const oneOf = (words: readonly string[]) =>
  expected(`one of ${words.join(", ")}`, (value) => shown(value, words));
const onFailure = z.enum(POLICIES, oneOf(POLICIES)).optional();
const deadlineMs = wholeNumber(1, 60_000).optional();
const flag = z.boolean(expected("true or false")).optional();

const rule = z.string(expected("a rule as text, such as user:10/5m")).superRefine((text, context) => {
  const mistake = mistakeInRule(text);
  if (mistake === undefined) return;
  const params: RuleIssueParams = { rule: mistake };
  context.addIssue({ code: "custom", message: mistake.message, params: { ...params } });
});

/** A rule alone is short for an object with nothing else. */
const limit = z.preprocess(
  (value) => (isMap(value) ? value : { rule: value }),
  z.strictObject({
    rule,
    cost: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    shadow: flag,
    countRefused: flag,
    onFailure,
    deadlineMs,
  }),
);

const url = z
  .string(expected('"memory" or a URL such as redis://127.0.0.1:6379'))
  .superRefine((text, context) => {
    try {
      describeStore(parseStoreUrl(text));
    } catch (error) {
      if (!(error instanceof StoreUrlError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
    }
  });

const store = z.preprocess(
  (value) => (isMap(value) ? value : { url: value }),
  z
    .strictObject({ url, deadlineMs, onFailure, maxKeys: wholeNumber(1, 16_000_000).optional() })
    .superRefine(({ url, maxKeys, ...policy }, context) => {
      const complain = (name: string, message: string) =>
        context.addIssue({ code: "custom", path: [name], message });
      if (url === "memory") {
        for (const name of Object.keys(policy))
          complain(name, `${name} is for a store that may be away, and memory never is.`);
      } else if (maxKeys !== undefined) {
        complain(
          "maxKeys",
          "maxKeys bounds the memory store; in Redis, keys go when they are as good as unused.",
        );
      }
    }),
);

const A_HOST = "a host name as text, such as sluice.internal, without scheme and port";
const http = z.strictObject(
  {
    hosts: z
      .array(
        z.string(expected(A_HOST)).regex(/^\w[\w.-]{0,252}$/, expected(A_HOST)),
        expected("a list of host names"),
      )
      .default([]),
    gateBehindProxy: z.boolean(expected("true or false")).default(false),
  },
  expected("what HTTP is asked by, such as hosts: [sluice.internal]"),
);

const page = z.strictObject(
  { identities: z.enum(IDENTITIES, oneOf(IDENTITIES)).default("shown") },
  expected("what the page shows, such as identities: hashed"),
);

const A_TOKEN = "a token as text, of 8 to 256 characters without spaces";
const token = z
  .string(expectedSecret(`${A_TOKEN}; numbers stand in quotes`))
  .regex(/^[\x21-\x7e]{8,256}$/, expectedSecret(A_TOKEN));

const A_NAMESPACE = "a namespace as text, of 1 to 100 characters";
const A_CONFIGURATION = `a configuration, with ${NAMES.configuration.join(", ")}`;

export const configSchema = z.strictObject(
  {
    namespace: z
      .string(expected(A_NAMESPACE))
      .min(1, expected(A_NAMESPACE))
      .max(100, expected(A_NAMESPACE))
      .default("sluice"),
    store: store.default({ url: "memory" }),
    tokens: z.array(token, expectedSecret("a list of tokens")).default([]),
    http: http.optional(),
    page: page.optional(),
    limits: z.record(z.string(), limit, expected("names of limits, each with its rule")).default({}),
  },
  expected(A_CONFIGURATION),
);

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
