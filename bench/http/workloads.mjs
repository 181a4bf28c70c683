/** What the servers are asked: hello, over connections that stay open, with a limit far away or long used up. */

/** Requests at once: each connection asks, reads the answer, and asks again. */
export const CONNECTIONS = 50;

export const WORKLOADS = [
  {
    name: "admitted",
    title: "every request passes, and is told how its limit stands",
    status: 200,
    limit: 10_000_000,
    seconds: 60,
  },
  {
    name: "refused",
    title: "every request is over its limit",
    status: 429,
    limit: 1,
    seconds: 86_400,
  },
];

export function workloadNamed(name) {
  return WORKLOADS.find((workload) => workload.name === name);
}
