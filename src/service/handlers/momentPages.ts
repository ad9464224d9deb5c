import type { Micros } from '../store/micros';

/** A page of a list in the order of moments ends with a row: its moment, and its id. */
export interface MomentEnd {
  at: Micros;
  id: number;
}

const END = /^([a-z])(-?\d{1,16})\.(\d{1,16})$/;

/**
 * What clients send back to get the page after this one.
 * @param list a letter: the tokens of one list are none of another.
 */
export function momentToken(list: string, { at, id }: MomentEnd): string {
  return Buffer.from(`${list}${String(at)}.${String(id)}`).toString('base64url');
}

/** Where the page before ended; undefined when the text is no token of the list. */
export function readMomentToken(list: string, token: string): MomentEnd | undefined {
  const [, of, at, id] = END.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return of === list ? { at: Number(at), id: Number(id) } : undefined;
}

/** How many rows a page has at most, of a request in which 0 is the default. */
export function pageLimit(
  asked: bigint,
  { byDefault, most }: { byDefault: number; most: number },
): number {
  return asked === 0n ? byDefault : Math.min(Number(asked), most);
}
