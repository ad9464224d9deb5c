import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import type { ConnectionId } from '../../../../core/model/ids';
import type { KeyValue } from '../../../../core/ports';
import type { BrowsableTarget } from '../../../../manifest/commandArguments';
import { type DataFilter, isDataFilter } from '../../../../shared/data/dataFilter';
import { type DataTab, isDataTab } from '../../../../shared/data/dataPanel';
import { type Guarded, isShape, isString } from '../../../../shared/guards';
import { isStoredTarget, storedTarget, toBrowsableTarget } from '../panelDescription';

const KEY = 'data.savedFilters.';

/** Saved filter with its name and its panel's target. */
export interface SavedFilter {
  readonly name: string;
  readonly target: BrowsableTarget;
  readonly filter: DataFilter;
  readonly tab: DataTab;
}

const isStored = isShape({
  name: isString,
  target: isStoredTarget,
  filter: isDataFilter,
  tab: isDataTab,
});
type Stored = Guarded<typeof isStored>;

/** Saved filters for each connection. Names are unique within a connection. */
export class SavedFilters {
  constructor(private readonly storage: KeyValue) {}

  /**
   * Returns the filters sorted by name. Skips unreadable filters, such as filters saved by other
   * versions.
   */
  list(connection: ConnectionId): readonly SavedFilter[] {
    const found = this.stored(connection).flatMap(({ target, ...rest }): SavedFilter[] => {
      const whole = toBrowsableTarget(connection, target);
      return whole ? [{ ...rest, target: whole }] : [];
    });
    return found.toSorted((one, other) => one.name.localeCompare(other.name));
  }

  /** Saves a filter, replacing any filter with the same name. */
  async save({ target, ...rest }: SavedFilter): Promise<void> {
    const { connectionId } = target;
    const others = this.stored(connectionId).filter(({ name }) => name !== rest.name);
    await this.write(connectionId, [...others, { ...rest, target: storedTarget(target) }]);
  }

  /** @throws FleetError `notFound` if another window has deleted or renamed the filter. */
  async rename(connection: ConnectionId, from: string, to: string): Promise<void> {
    const stored = this.stored(connection);
    if (!stored.some(({ name }) => name === from)) {
      throw new FleetError(
        'notFound',
        vscode.l10n.t('The filter "{0}" was deleted or renamed in another window.', from),
      );
    }
    const all = stored.filter(({ name }) => name === from || name !== to);
    await this.write(
      connection,
      all.map((one) => (one.name === from ? { ...one, name: to } : one)),
    );
  }

  async delete(connection: ConnectionId, name: string): Promise<void> {
    await this.write(
      connection,
      this.stored(connection).filter((one) => one.name !== name),
    );
  }

  private stored(connection: ConnectionId): readonly Stored[] {
    const value = this.storage.get(KEY + connection);
    return Array.isArray(value) ? value.filter(isStored) : [];
  }

  private write(connection: ConnectionId, all: readonly Stored[]): Promise<void> {
    return this.storage.update(KEY + connection, all.length === 0 ? undefined : all);
  }
}
