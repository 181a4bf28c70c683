/** The address of a client where only the runtime knows it, and each in its own way. */
import { type AddressOptions, NoAddress } from "./client-address.js";

/** As the runtimes give it. */
export type RuntimeAddress = string | null | undefined;

/** Where proxies are trusted, one may do without: they say who the client is. */
export function knownAddress(
  address: RuntimeAddress,
  { trust }: AddressOptions,
  example: string,
): string | undefined {
  if (address) return address;
  if (trust !== undefined) return undefined;
  throw new NoAddress(
    `The request has no address to count by. Say where this runtime has it, as in ${example}; ` +
      "or, behind a proxy or platform that writes x-forwarded-for, say trust: 1.",
  );
}
