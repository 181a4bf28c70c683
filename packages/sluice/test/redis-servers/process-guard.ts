/** Sees to it that a server and its folder do not outlive the process that started them, however that one ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";

/**
 * Vitest ends its workers by a signal, which runs no `exit` listener. What always happens when a process ends is
 * that its pipes are closed: then `read` fails in this script, and the server named by the last line is killed.
 */
const SCRIPT = `
trap '' INT TERM HUP
while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -KILL "$pid"
rm -rf "$1"
`;

export interface ProcessGuard {
  /** Names the process to kill, `undefined` once there is none. */
  watch(pid: number | undefined): void;
  /** Kills the process, removes the folder, and waits until both are gone. */
  release(): Promise<void>;
}

export function guardFolder(folder: string): ProcessGuard {
  const shell = spawn("sh", ["-c", SCRIPT, "sh", folder], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(shell, "exit");
  shell.unref();
  // A pipe to a child is a socket, which would otherwise keep this process alive.
  (shell.stdin as Socket).unref();
  return {
    watch: (pid) => {
      shell.stdin.write(`${pid ?? ""}\n`);
    },
    release: async () => {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}
