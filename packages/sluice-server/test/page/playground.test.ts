/** The playground in a real browser. */
import { toRule } from "sluice";
import { expect } from "vitest";
import { linkTo } from "../../page/playground/state.js";
import { grouped } from "../../src/explain/numbers.js";
import { parseTraffic } from "../../src/simulate/parse-traffic.js";
import { rulesFor } from "../../src/simulate/same-quota.js";
import { finished, simulate } from "../../src/simulate/simulate.js";
import { pageTest } from "./page-test.js";

const test = pageTest();

test("shows the meaning of a rule as it is typed, and its mistakes with the caret", async ({ visit }) => {
  await visit.go("#playground");
  const { page } = visit;
  const rule = page.getByLabel("Rule");
  await rule.fill("user:10/5m or ip:5/m");
  await visit.sees(page.locator("#meaning"), "Each user: at most 10 in any 5 minutes");
  await rule.fill("user:10/5m or ip:5/sec");
  await visit.sees(page.locator("#rule-excerpt"), `  user:10/5m or ip:5/sec\n${" ".repeat(21)}^^^`);
  expect(await page.locator("#rule-problem").textContent()).toContain("Expected a unit of time");
  expect(await page.locator("#rule-suggestion").textContent()).toBe('Did you mean "user:10/5m or ip:5/s"?');
  expect(await rule.getAttribute("aria-invalid")).toBe("true");
  await rule.press("Backspace");
  await rule.press("Backspace");
  await visit.sees(page.locator("#meaning"), "Each ip: at most 5 in any second");
  expect(await page.locator("#rule-mistake").isVisible()).toBe(false);
  expect(await rule.getAttribute("aria-invalid")).toBe("false");
});

test("sliders, kinds and boxes change traffic and address, by keyboard", async ({ visit }) => {
  await visit.go("#playground?rule=10%2Fs&traffic=steady%3A20%2Fs&for=10s");
  const { page } = visit;
  const row = page.locator("#runs-rows tr").first();
  await visit.sees(row, "10/s20010050.0 %");
  const rate = page.getByRole("slider", { name: "rate" });
  expect(await rate.getAttribute("aria-valuetext")).toBe("20 per second");
  await rate.press("ArrowLeft");
  await visit.sees(row, "10/s150100");
  await page.getByRole("radio", { name: "steady" }).press("ArrowRight");
  await visit.sees(page.locator("#command"), "--traffic burst:80/45s");
  await page.getByRole("radio", { name: "bursts" }).press("ArrowRight");
  await visit.sees(page.locator("#command"), "--traffic poisson:15/s");
  await page.getByRole("button", { name: "Another draw" }).press("Enter");
  await visit.sees(page.locator("#command"), "--traffic poisson:15/s,2");
  await page.getByRole("checkbox", { name: "gcra" }).press("Space");
  await visit.sees(page.locator("#runs-rows tr").nth(1), "10/s gcra");
  expect(new URL(page.url()).hash).toBe(
    "#playground?rule=10%2Fs&traffic=poisson%3A15%2Fs%2C2&for=10s&compare=gcra",
  );
});

test("plays what `sluice simulate` plays, and a link reproduces it", async ({ server, visit }) => {
  const state = {
    rule: "100/m",
    traffic: "poisson:3/s,7",
    length: "4m",
    compare: ["fixed-window", "gcra", "ar1"],
  } as const;
  const rules = rulesFor(toRule(state.rule), state.compare);
  const runs = await finished(simulate(rules, parseTraffic(state.traffic), { lengthUs: 240e6, bins: 120 }));
  const expected = runs.map(({ rule, offered, admitted, peaks }) => [
    rule,
    grouped(offered.units),
    grouped(admitted.units),
    grouped(peaks[0]!.most),
  ]);

  await visit.go(linkTo(state));
  const { page } = visit;
  await visit.sees(page.locator("#runs-rows tr:nth-child(4)"), "ar1");
  const rows = await page.locator("#runs-rows tr").all();
  const shown = await Promise.all(rows.map((row) => row.locator("th, td").allTextContents()));
  expect(shown.map((cells) => [cells[0], cells[1], cells[2], cells[6]])).toEqual(expected);
  expect(await page.locator("#runs canvas").count()).toBe(4);
  await visit.sees(page.locator(".peak").nth(1), `at most ${expected[1]![3]} in any minute`);
  expect(page.url()).toBe(`http://127.0.0.1:${server.httpPort}/${linkTo(state)}`);
  expect(await page.locator("#command").textContent()).toBe(
    "sluice simulate 100/m --traffic poisson:3/s,7 --for 4m --compare fixed-window gcra ar1",
  );
});

test("a rule of the live view comes with traffic that suits it", async ({ visit }) => {
  await visit.go("#live?limit=login");
  const { page } = visit;
  await page.getByRole("link", { name: "Try in the playground" }).click();
  await visit.sees(page.locator("#command"), "'ip:5/m or user:20/h' --traffic burst:4/45s --for 5m");
  expect(await page.locator("#burst-size-value").textContent()).toBe("4 at once");
});

const IMAGE = encodeURIComponent("<img src=x onerror=alert(1)>");
const HOSTILE = [
  [`#playground?rule=${IMAGE}`, "#rule-problem", "A rule is made of names"],
  [`#playground?rule=1%2Fs&traffic=${IMAGE}&for=1s`, "#traffic-problem", "Traffic is"],
  [`#playground?rule=1%2Fs&traffic=burst%3A${IMAGE}%2F${IMAGE}&for=1s`, "#burst-every-value", "<img src=x"],
  [`#playground?rule=1%2Fs&traffic=steady%3A1%2Fs&for=${IMAGE}`, "#traffic-problem", "A time is"],
  ["#playground?rule=1%2Fs&traffic=steady%3A999999999999%2Fms&for=1w", "#traffic-problem", "at most 200,000"],
  [`#playground?rule=${"((".repeat(4_000)}`, "#rule-problem", "nest"],
  [`#live?limit=${IMAGE}`, "#detail-name", "login"],
] as const;

test("a hostile link does nothing but show text", async ({ visit }) => {
  const { page } = visit;
  for (const [fragment, place, words] of HOSTILE) {
    await visit.go(fragment);
    await visit.sees(page.locator(place), words);
    expect(await page.locator("img, script:not([src])").count(), fragment).toBe(0);
  }
});

test("a long simulation does not hold up the page, and a new question ends it", async ({ visit }) => {
  const all = "sliding-log,sliding-window,fixed-window,sliding-counter,gcra,ar1";
  await visit.go(`#playground?rule=1000%2Fs&traffic=steady%3A1000%2Fs&for=190s&compare=${all}`);
  const { page } = visit;
  await visit.sees(page.locator("#progress"), /^Simulating, [\d.]+ %$/);
  const words = await page.evaluate<string>(`new Promise((resolve) => {
    let frames = 0;
    requestAnimationFrame(function next() {
      frames += 1;
      if (frames < 20) requestAnimationFrame(next);
      else resolve(document.querySelector("#progress").textContent);
    });
  })`);
  expect(words).toMatch(/^Simulating/);
  await page.getByLabel("Rule").fill("7/s");
  await visit.sees(page.locator("#meaning"), "at most 7 in any second");
  await page.getByRole("radio", { name: "bursts" }).check({ force: true });
  await visit.sees(page.locator("#command"), "sluice simulate 7/s --traffic burst:");
});
