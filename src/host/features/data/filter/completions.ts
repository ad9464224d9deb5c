import type { CaptureBrowse } from '../../../../core/data/captureBrowse';
import type { CaptureFilter } from '../../../../core/model/captureFilter';
import type { BinaryDataStore } from '../../../../core/stores/binaryDataStore';
import type { CompletedField, Completions } from '../../../../shared/data/filterMessages';
import type { Applied } from '../dataSession';

/** Maximum number of suggestions. Users don't read more. */
const MAX_VALUES = 50;

/**
 * Suggests values that occur in a filter's matches. Reads the matches once each time a filter is
 * applied.
 */
export class FilterCompletions {
  private of: CaptureBrowse | undefined;
  private readonly known = new Map<CompletedField, Promise<readonly string[]>>();

  /**
   * Returns the values that contain the text, ignoring case. Values that start with the text come
   * first. Throws `FleetError`.
   */
  async complete(
    { browse, stores }: Pick<Applied, 'browse' | 'stores'>,
    field: CompletedField,
    text: string,
  ): Promise<Completions> {
    if (this.of !== browse) {
      this.of = browse;
      this.known.clear();
    }
    const values = await this.getValues(stores.binaryData, browse, field);
    const wanted = text.trim().toLowerCase();
    const found = values.flatMap((value) => {
      const at = value.toLowerCase().indexOf(wanted);
      return at < 0 ? [] : [{ value, isStart: at === 0 }];
    });
    const sorted = [...found.filter((one) => one.isStart), ...found.filter((one) => !one.isStart)];
    return {
      values: sorted.slice(0, MAX_VALUES).map(({ value }) => value),
      more: sorted.length > MAX_VALUES,
    };
  }

  private getValues(
    store: BinaryDataStore,
    browse: CaptureBrowse,
    field: CompletedField,
  ): Promise<readonly string[]> {
    const known = this.known.get(field);
    if (known) return known;
    // Not aborted with the filter, so that the user gets suggestions even while another filter is
    // being applied.
    const pending = read(store, browse.filter, field);
    this.known.set(field, pending);
    pending.catch(() => this.known.delete(field));
    return pending;
  }
}

/**
 * Reads the values for a field. Excludes the field's own value from the filter, to suggest
 * alternatives.
 */
async function read(
  store: BinaryDataStore,
  filter: CaptureFilter,
  field: CompletedField,
): Promise<readonly string[]> {
  const values =
    field === 'tags'
      ? await store.listTags({ ...filter, tags: undefined })
      : await store.listLabels({ ...filter, labels: [] });
  return values.toSorted((one, other) => one.localeCompare(other));
}
