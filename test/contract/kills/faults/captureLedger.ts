/**
 * State of an upload or its data, as known to the client:
 * - `sent`: the client got no response, so either everything is stored or nothing is;
 * - `kept`: the service acknowledged the upload;
 * - `removing`: the client sent the deletion but got no response yet;
 * - `removed`: the service acknowledged the deletion, or the data was missing after a crash.
 */
export type Standing = 'sent' | 'kept' | 'removing' | 'removed';

/** Readings that were sent together; each has a unique number. */
export interface ReadingsUpload {
  component: string;
  first: number;
  count: number;
  standing: Standing;
}

/** A binary item, identified by the name under which it was sent. */
export interface ItemUpload {
  name: string;
  /** ID of the item; undefined until the item is acknowledged or found. */
  id: string | undefined;
  standing: Standing;
}

/** Everything that clients have sent to a service, and its responses. */
export class CaptureLedger {
  readonly readings: ReadingsUpload[] = [];
  readonly items = new Map<string, ItemUpload>();
  private nextReading = 0;
  private nextItem = 0;

  sendReadings(component: string, count: number): ReadingsUpload {
    const upload: ReadingsUpload = {
      component,
      first: this.nextReading,
      count,
      standing: 'sent',
    };
    this.nextReading += count;
    this.readings.push(upload);
    return upload;
  }

  sendItem(): ItemUpload {
    const name = `item-${String(this.nextItem)}`;
    this.nextItem += 1;
    const item: ItemUpload = { name, id: undefined, standing: 'sent' };
    this.items.set(name, item);
    return item;
  }

  /** Numbers of readings and items that were acknowledged and haven't been deleted. */
  get acknowledged(): { readings: number; items: number } {
    const uploads = this.readings.filter(({ standing }) => standing === 'kept');
    return {
      readings: uploads.reduce((sum, { count }) => sum + count, 0),
      items: [...this.items.values()].filter(({ standing }) => standing === 'kept').length,
    };
  }
}
