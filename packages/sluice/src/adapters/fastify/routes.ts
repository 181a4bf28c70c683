/** Which gate a route of Fastify has: its own, the usual one, or none. */
import { BadOption, shown } from "../../errors.js";
import type { FastifyRequest } from "./request.js";

export interface FastifyInstance {
  addHook(name: never, hook: never): unknown;
  hasDecorator(name: symbol): boolean;
  decorate(name: never, value: never): unknown;
  printRoutes(): string;
}

export interface RouteGates<Options extends object, Admit> {
  readonly usual: Options;
  /** Makes a gate; undefined where the options want none. */
  make(options: Options): Admit | undefined;
}

interface Route {
  readonly config?: unknown;
}

const OWNS_ROUTES = Symbol.for("sluice.gate");
const NO_ROUTES = "(empty tree)";

/** A gate is made once, since it may hold its own counters. */
export function routeGates<Options extends object, Admit>(
  app: FastifyInstance,
  { usual, make }: RouteGates<Options, Admit>,
): (request: FastifyRequest) => Admit | undefined {
  const ownRoutes = isFirst(app);
  const everywhere = make(usual);
  const made = new WeakMap<object, { readonly admit: Admit | undefined }>();

  function admitFor(route: Route): Admit | undefined {
    const said = gateOf(route);
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
  }

  const someSay = watchRoutes(app, (route) => void admitFor(route));
  return (request) => (someSay() ? admitFor(request.routeOptions) : everywhere);
}

/** Of several plugins in one application only the first makes the gates of routes, or they would count twice. */
function isFirst(app: FastifyInstance): boolean {
  if (app.hasDecorator(OWNS_ROUTES)) return false;
  app.decorate(OWNS_ROUTES as never, true as never);
  return true;
}

/**
 * Answers whether some route says something of its gate: where none does, requests are spared the reading of their
 * route's options, which Fastify makes anew each time. Routes that were there before can only be asked by a request.
 * To be called by requests alone, before which the last route has come.
 */
function watchRoutes(app: FastifyInstance, eachRoute: (route: Route) => void): () => boolean {
  const hadRoutes = app.printRoutes() !== NO_ROUTES;
  const routes: Route[] = [];
  let someSay: boolean | undefined;
  const onRoute = (route: Route) => {
    eachRoute(route);
    routes.push(route);
  };
  app.addHook("onRoute" as never, onRoute as never);
  return () => {
    someSay ??= hadRoutes || routes.some((route) => gateOf(route) !== undefined);
    return someSay;
  };
}

function gateOf({ config }: Route): unknown {
  return (config as { readonly gate?: unknown } | undefined)?.gate;
}
