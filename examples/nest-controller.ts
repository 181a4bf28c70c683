/**
 * A NestJS controller: a gate before the whole application, another before one handler, and a handler without any.
 *
 *   npm run nest -w examples
 */
import "reflect-metadata";
import { Controller, Get, HttpException, Module, Post } from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { header } from "sluice/http";
import { Gate, gate, SkipGate } from "sluice/nest";

@Controller()
class Shop {
  @Get("items")
  items() {
    return ["a book", "a lamp"];
  }

  // Counts beside the gate of the application. In a shop, the account would come from the session.
  @Gate("account:2/m", { key: "orders", facts: { account: header("x-account") } })
  @Post("orders")
  order() {
    return { ordered: "a lamp" };
  }

  @SkipGate()
  @Get("health")
  health() {
    return "well";
  }
}

const everything = gate("ip:6/m", {
  key: "all",
  exception: (status, body) => new HttpException(JSON.parse(body), status), // refusals go through your filters
});

@Module({ controllers: [Shop], providers: [{ provide: APP_GUARD, useValue: everything }] })
class App {}

const app = await NestFactory.create(App, { logger: ["error"], forceCloseConnections: true });
await app.listen(0);

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${await app.getUrl()}/${path}`, { method, headers });
  console.log(`${method} /${path} ${response.status}`, response.headers.get("ratelimit") ?? "");
}

await ask("GET", "items");
await ask("POST", "orders");
for (let time = 1; time <= 3; time += 1) await ask("POST", "orders", { "x-account": "ada" });
await ask("POST", "orders", { "x-account": "grace" });
await ask("GET", "items");
await ask("GET", "health");

await app.close();
