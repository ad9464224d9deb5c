import { boxMessages } from "./boxes";
import { itemMessages } from "./items";
import { panelMessages } from "./dataPanel";
import { readingMessages } from "./readings";

/** Everything that is said between a data panel and its host, part by part. */
export const dataProtocol = {
  ...panelMessages,
  ...itemMessages,
  ...boxMessages,
  ...readingMessages,
} as const;

export type DataProtocol = typeof dataProtocol;
