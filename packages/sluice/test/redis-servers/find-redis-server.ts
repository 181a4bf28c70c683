/** The redis-server program that the tests start. */
import { ensureProgram, type SystemProgram } from "../system-package.js";

/** Distributions that dropped Redis offer Valkey. */
const NAMES = ["redis", "valkey"];

const REDIS_SERVER: SystemProgram = {
  programs: ["redis-server", "valkey-server"],
  variable: "REDIS_SERVER",
  packages: {
    "apt-get": ["redis-server", "valkey-server"],
    brew: NAMES,
    dnf: NAMES,
    yum: NAMES,
    apk: NAMES,
    pacman: NAMES,
  },
};

/** The path of redis-server or valkey-server, installed first if need be; `REDIS_SERVER` names another one. */
export function ensureRedisServer(): string {
  return ensureProgram(REDIS_SERVER);
}
