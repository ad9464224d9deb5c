/**
 * State of an upload or its data, as its client knows it:
 * - `sent`: there was no response, so either everything is stored or nothing;
 * - `kept`: it was acknowledged;
 * - `removing`: its deletion was sent, without a response yet;
 * - `removed`: its deletion was acknowledged, or it was found to be missing after a crash.
 */
export type Standing = 'sent' | 'kept' | 'removing' | 'removed';

/** Readings that were sent together; each has a unique number. */
export interface ReadingsUpload {
  component: string;
  first: number;
  count: number;
  standing: Standing;
}

/** A binary item by the name with which it was sent. */
export interface ItemUpload {
  name: string;
  /** Its ID once it was acknowledged or found. */
  id: string | undefined;
  standing: Standing;
}

/** Everything that clients have sent to a service, and its responses. */
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

  /** Numbers of readings and items that were acknowledged and not deleted. */
  get kept(): { readings: number; items: number } {
    const uploads = this.readings.filter(({ standing }) => standing === 'kept');
    return {
      readings: uploads.reduce((sum, { count }) => sum + count, 0),
      items: [...this.items.values()].filter(({ standing }) => standing === 'kept').length,
    };
  }
}
