/** Which gate a route of Fastify has: its own, the usual one, or none. */
import { BadOption, shown } from "../errors.js";

export interface RouteGates<Options extends object, Admit> {
  readonly usual: Options;
  /** Makes a gate; undefined where the options want none. */
  make(options: Options): Admit | undefined;
  /** Of several plugins in one application only the first makes the gates of routes, or they would count twice. */
  readonly ownRoutes: boolean;
}

/** Answers what to ask for a route with this config. A gate is made once, since it may hold its own counters. */
export function routeGates<Options extends object, Admit>(
  settings: RouteGates<Options, Admit>,
): (config: unknown) => Admit | undefined {
  const { usual, make, ownRoutes } = settings;
  const everywhere = make(usual);
  const made = new WeakMap<object, { readonly admit: Admit | undefined }>();
  return (config) => {
    const said = (config as { readonly gate?: unknown } | undefined)?.gate;
    if (said === undefined) return everywhere;
    if (said === false || !ownRoutes) return undefined;
    if (typeof said !== "object" || said === null) {
      throw new BadOption(
        `The gate in the config of a route is options, or false, and this is ${shown(said)}.`,
      );
    }
    let known = made.get(said);
    if (known === undefined) {
      known = { admit: make({ ...usual, ...said }) };
      made.set(said, known);
    }
    return known.admit;
  };
}
