/** The one list of stores that every suite runs over. */
import { memoryStore } from "../src/store/memory/memory-store.js";
import type { CreateStore } from "../src/testing/run-scenario.js";

export interface StoreUnderTest {
  readonly name: string;
  readonly create: CreateStore;
}

export const STORES: readonly StoreUnderTest[] = [
  { name: "memory", create: memoryStore },
  { name: "memory, 200 keys at most", create: ({ clock }) => memoryStore({ clock, maxKeys: 200 }) },
];
