/**
 * How an upload or what it stored stands, as its client knows it:
 * - `sent`: nobody has answered, so that it is there as a whole or not at all;
 * - `kept`: it was acknowledged;
 * - `removing`: its deletion was sent and nobody has answered;
 * - `removed`: its deletion was acknowledged, or it was seen not to be there after a crash.
 */
export type Standing = 'sent' | 'kept' | 'removing' | 'removed';

/** Readings that were sent together; each has a number of its own. */
export interface ReadingsUpload {
  component: string;
  first: number;
  count: number;
  standing: Standing;
}

/** A binary item by the name that it was sent with. */
export interface ItemUpload {
  name: string;
  /** What it is known by once it was acknowledged or seen. */
  id: string | undefined;
  standing: Standing;
}

/** What clients have sent to a service and what it has told them. */
export class CaptureLedger {
  readonly readings: ReadingsUpload[] = [];
  readonly items = new Map<string, ItemUpload>();
  #nextReading = 0;
  #nextItem = 0;

  sendReadings(component: string, count: number): ReadingsUpload {
    const upload: ReadingsUpload = {
      component,
      first: this.#nextReading,
      count,
      standing: 'sent',
    };
    this.#nextReading += count;
    this.readings.push(upload);
    return upload;
  }

  sendItem(): ItemUpload {
    const name = `item-${String(this.#nextItem)}`;
    this.#nextItem += 1;
    const item: ItemUpload = { name, id: undefined, standing: 'sent' };
    this.items.set(name, item);
    return item;
  }

  /** How much was acknowledged and not deleted. */
  get kept(): { readings: number; items: number } {
    const uploads = this.readings.filter(({ standing }) => standing === 'kept');
    return {
      readings: uploads.reduce((sum, { count }) => sum + count, 0),
      items: [...this.items.values()].filter(({ standing }) => standing === 'kept').length,
    };
  }
}
