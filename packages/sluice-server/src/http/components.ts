/** Every schema by the name under which the OpenAPI document has it. */
import { BATCH_ANSWERS, DECISION, LIMIT_STATUS } from "./decision-schemas.js";
import { PROBLEM, REFUSAL } from "./problem-schemas.js";
import { BATCH, QUESTION, SUBJECT } from "./request-schemas.js";
import { HEALTH, LIMIT_LIST, READINESS } from "./server-schemas.js";

export const COMPONENTS = {
  Question: QUESTION,
  Subject: SUBJECT,
  Batch: BATCH,
  Decision: DECISION,
  LimitStatus: LIMIT_STATUS,
  BatchAnswers: BATCH_ANSWERS,
  LimitList: LIMIT_LIST,
  Problem: PROBLEM,
  Refusal: REFUSAL,
  Health: HEALTH,
  Readiness: READINESS,
} as const;

export type ComponentName = keyof typeof COMPONENTS;

export function referenceTo(name: ComponentName): object {
  return { $ref: `#/components/schemas/${name}` };
}
