/** Who is being limited: the lists, and what can be asked and done about one of them. */
import { createHmac, randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Facts } from "sluice";
import type { NamedLimits } from "../../limits/named-limits.js";
import type { KnownIdentity } from "../../live/identities.js";
import type { Identity, IdentityQuestion, Identities as Lists } from "../../live/live-messages.js";
import type { LiveView } from "../../live/live-view.js";
import { askLimit, limitNamed } from "../ask-limit.js";
import { ProblemError } from "../problem.js";
import { checkMayChange, type VisitorOptions } from "./visitor.js";

export interface IdentityOptions extends VisitorOptions {
  readonly live: LiveView;
  readonly limits: NamedLimits;
  /** Whether values are shown as hashes, which nobody can turn back. */
  readonly hashed: () => boolean;
}

const QUESTION = {
  type: "object",
  additionalProperties: false,
  required: ["limit", "id"],
  properties: {
    limit: { type: "string" },
    id: { type: "string" },
    cost: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  },
} as const;

export function identityRoutes(app: FastifyInstance, options: IdentityOptions): void {
  const { live, limits, hashed } = options;
  /** Known to this process only: what was hashed cannot be found by trying. */
  const secret = randomBytes(32);
  const hash = (text: string) => createHmac("sha256", secret).update(text).digest("base64url").slice(0, 16);

  function shown(identity: KnownIdentity, selectors: readonly string[]): Identity {
    const { name, values, count } = identity;
    const facts = selectors.flatMap((selector, place) => {
      const value = values[place];
      return value === undefined ? [] : [[selector, hashed() ? `#${hash(value)}` : value] as const];
    });
    return { id: hash(name), facts: Object.fromEntries(facts), cut: identity.facts === undefined, count };
  }

  app.get<{ Querystring: { limit?: unknown } }>("/live/identities", ({ query }): Lists => {
    const { name, selectors } = limitNamed(limits, String(query.limit));
    const known = live.identitiesOf(name);
    return {
      busiest: known?.busiest().map((identity) => shown(identity, selectors)) ?? [],
      mostRefused: known?.mostRefused().map((identity) => shown(identity, selectors)) ?? [],
      errorAtMost: known?.errorAtMost ?? 0,
    };
  });

  function factsBehind({ limit, id }: IdentityQuestion): Facts {
    const known = live.identitiesOf(limit);
    const all = known === undefined ? [] : [...known.busiest(), ...known.mostRefused()];
    const found = all.find(({ name }) => hash(name) === id);
    if (found === undefined)
      throw new ProblemError(404, "This identity is no longer among those that are known.");
    if (found.facts === undefined)
      throw new ProblemError(
        409,
        "The values of this identity are too long to be kept, so it can be neither looked at nor changed here. Ask the limit itself, with the whole values as facts.",
      );
    return found.facts;
  }

  for (const action of ["peek", "reset", "refund"] as const) {
    app.post<{ Body: IdentityQuestion }>(
      `/live/identities/${action}`,
      { schema: { body: QUESTION } },
      async ({ body }, reply) => {
        if (action !== "peek") checkMayChange(options);
        const limit = limitNamed(limits, body.limit);
        const decision = await askLimit(limit, action, { facts: factsBehind(body), cost: body.cost });
        return decision === undefined ? reply.code(204).send() : decision;
      },
    );
  }
}
