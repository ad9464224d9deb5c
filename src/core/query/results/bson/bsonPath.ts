import type { Buffer } from 'node:buffer';
import { MAX_COLUMN_DEPTH } from '../../../data/tables/dataColumns';
import type { DataValue } from '../../../data/tables/dataValue';
import { BsonElements, isBranchElement } from './bsonElements';
import { BSON } from './bsonTypes';
import { readDataValue } from './bsonValue';

/** Finds the value at the same path in many rows. */
export class BsonPath {
  private readonly names: readonly Uint8Array[];

  constructor(path: readonly string[]) {
    this.names = path.map((name) => new TextEncoder().encode(name));
  }

  /** Returns the value of a row at this path; undefined if the row has no such value. */
  valueIn(bytes: Buffer, start: number): DataValue | undefined {
    const element = this.find(bytes, start);
    if (!element) return undefined;
    const hasColumns = isBranchElement(element) && this.names.length < MAX_COLUMN_DEPTH;
    return hasColumns ? undefined : readDataValue(element);
  }

  /** Returns the element at this path in a document; undefined if there is none. */
  find(bytes: Buffer, start: number): BsonElements | undefined {
    let at = start;
    for (let depth = 0; ; depth += 1) {
      const name = this.names[depth];
      const element = name && named(new BsonElements(bytes, at), name);
      if (!element || depth === this.names.length - 1) return element;
      if (element.type !== BSON.object) return undefined;
      at = element.valueStart;
    }
  }
}

/** Returns true if an element has the given name. Compares the bytes of the names. */
export function hasName({ bytes, nameStart, nameEnd }: BsonElements, name: Uint8Array): boolean {
  if (nameEnd - nameStart !== name.length) return false;
  for (let at = 0; at < name.length; at += 1) {
    if (bytes[nameStart + at] !== name[at]) return false;
  }
  return true;
}

function named(elements: BsonElements, name: Uint8Array): BsonElements | undefined {
  while (elements.next()) if (hasName(elements, name)) return elements;
  return undefined;
}
