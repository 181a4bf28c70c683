/**
 * A login that cannot be guessed: only failures count, by account and address together, by address, and by account.
 *
 *   node examples/login.mjs
 */
import express from "express";
import { gate } from "sluice/express";

const PASSWORDS = new Map([["ada", "correct horse"]]);

const bruteForce = gate(
  [
    "account+ip:5/15m", // one client guesses one account
    "ip:20/h", // one client tries one password on many accounts
    "account:50/d", // many clients guess one account; generous, or anybody could lock the owner out
  ].join(" or "),
  {
    key: "login",
    trust: 1, // one proxy stands in front and says who the client is
    facts: { account: (request) => String(request.body.user).toLowerCase() },
    // A place is taken before the password is looked at, and given back when it was right: a thousand guesses at the
    // same time are no way around it.
    settle: ({ status }) => (status === 401 ? 1 : 0),
  },
);

const app = express();
app.post("/login", express.json(), bruteForce, (request, response) => {
  const { user, password } = request.body;
  response.sendStatus(PASSWORDS.get(user) === password ? 204 : 401);
});

const server = app.listen(0);

async function login(ip, user, password) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": ip },
    body: JSON.stringify({ user, password }),
  });
  await response.text();
  return response.status;
}

/** As in "5 × 401, 95 × 429". */
function tally(statuses) {
  const kinds = [...new Set(statuses)].sort();
  return kinds.map((kind) => `${statuses.filter((status) => status === kind).length} × ${kind}`).join(", ");
}

const guesses = Array.from({ length: 100 }, (_, number) => `guess ${number}`);
const byOne = await Promise.all(guesses.map((guess) => login("203.0.113.9", "ada", guess)));
console.log("a hundred guesses at once:", tally(byOne));

const sprayed = await Promise.all(guesses.map((guess) => login("203.0.113.8", guess, "123456")));
console.log("one password, a hundred accounts:", tally(sprayed));

const own = [];
for (let time = 1; time <= 10; time += 1) own.push(await login("192.0.2.1", "ada", "correct horse"));
console.log("the owner, ten times:", tally(own));

server.close();
