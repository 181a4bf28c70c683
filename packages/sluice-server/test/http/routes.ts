/** Every route that there is, as the router itself prints them. */
import type { FastifyInstance } from "fastify";

/** `POST /v1/limits/{name}/consume` */
export async function routesOf(app: FastifyInstance): Promise<readonly string[]> {
  await app.ready();
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      // A level by four characters.
      const [, indent = "", part = "", methods = ""] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      above.splice(indent.length / 4, Number.POSITIVE_INFINITY, part);
      const path = above.join("").replace(/:(\w+)/g, "{$1}");
      return methods === "" ? [] : methods.split(", ").map((method) => `${method} ${path}`);
    });
}
