import * as l10n from '@vscode/l10n';
import { getFieldNames, getTagsModeNames, getIntervalPresets } from './filterLabels';
import type { DataFilter, DataInterval, FilterField } from '../../../src/shared/data/dataFilter';
import type { FilterNames } from '../../../src/shared/data/dataPanel';
import { formatTime } from './intervalField';
import { element, toolButton } from '../../ui/elements';

/** One condition of a filter. */
export interface FilterChip {
  /** Key that stays the same as long as the condition does. */
  readonly key: string;
  readonly text: string;
  /** Location of the resource. */
  readonly hint?: string | undefined;
  /** The filter without this condition; undefined if the condition can't be removed. */
  readonly without?: DataFilter | undefined;
}

interface ChipTexts {
  readonly names: FilterNames;
  readonly locale: string | undefined;
  readonly utc: boolean;
}

/** Returns all conditions in a filter, in the order of the form's fields. */
export function filterChips(filter: DataFilter, texts: ChipTexts): readonly FilterChip[] {
  const { names } = texts;
  const chip = (field: FilterField, value: string, rest: Partial<FilterChip>): FilterChip => ({
    key: `${field} ${value}`,
    text: l10n.t('{0}: {1}', getFieldNames()[field], value),
    ...rest,
  });
  const resourceChips = (field: FilterField, id: string, without?: DataFilter): FilterChip[] =>
    id === ''
      ? []
      : [
          chip(field, names[id]?.name ?? id, {
            key: `${field} ${id}`,
            hint: names[id]?.path,
            without,
          }),
        ];
  const text = (field: 'machineName' | 'partName' | 'componentName' | 'componentType' | 'method') =>
    filter[field] === ''
      ? []
      : [chip(field, filter[field], { without: { ...filter, [field]: '' } })];
  const each = (field: FilterField, member: 'mimeTypes' | 'labels' | 'tags'): FilterChip[] =>
    filter[member].map((value) =>
      chip(field, value, { without: { ...filter, [member]: withoutOne(filter[member], value) } }),
    );
  const { organizations, locations, machine, part, dataset } = filter;
  return [
    ...organizations.flatMap((id) =>
      resourceChips(
        'organization' as const,
        id,
        organizations.length > 1
          ? { ...filter, organizations: withoutOne(organizations, id) }
          : undefined,
      ),
    ),
    ...locations.flatMap((id) =>
      resourceChips('location', id, { ...filter, locations: withoutOne(locations, id) }),
    ),
    // The part belongs to the machine, so removing the machine also removes the part.
    ...resourceChips('machine', machine, { ...filter, machine: '', part: '' }),
    ...resourceChips('part', part, { ...filter, part: '' }),
    ...(['machineName', 'partName', 'componentName', 'componentType', 'method'] as const).flatMap(
      text,
    ),
    ...each('mimeType', 'mimeTypes'),
    ...timeChip(filter, texts, chip),
    ...tagChips(filter, chip, () => each('tags', 'tags')),
    ...each('labels', 'labels'),
    ...resourceChips('dataset', dataset, { ...filter, dataset: '' }),
  ];
}

type MakeChip = (field: FilterField, value: string, rest: Partial<FilterChip>) => FilterChip;

function timeChip(filter: DataFilter, texts: ChipTexts, chip: MakeChip): readonly FilterChip[] {
  const text = describeInterval(filter.interval, texts);
  if (text === undefined) return [];
  return [chip('time', text, { key: 'time', without: { ...filter, interval: { kind: 'any' } } })];
}

function tagChips(
  filter: DataFilter,
  chip: MakeChip,
  each: () => FilterChip[],
): readonly FilterChip[] {
  const { tagsMode } = filter;
  if (tagsMode === 'any') return [];
  if (tagsMode === 'anyOf') return each();
  return [chip('tags', getTagsModeNames()[tagsMode], { without: { ...filter, tagsMode: 'any' } })];
}

/** Describes a time range; undefined if the range is unlimited. */
function describeInterval(interval: DataInterval, { locale, utc }: ChipTexts): string | undefined {
  if (interval.kind === 'any') return undefined;
  if (interval.kind === 'last') {
    const preset = getIntervalPresets().find(({ minutes }) => minutes === interval.minutes);
    return preset?.label ?? l10n.t('Last {0} minutes', String(interval.minutes));
  }
  const [start, end] = [interval.start, interval.end].map(
    (at) => at !== undefined && formatTime(at, locale, utc),
  );
  if (start && end) return l10n.t('{0} to {1}', start, end);
  if (start) return l10n.t('since {0}', start);
  return end ? l10n.t('before {0}', end) : undefined;
}

function withoutOne(values: readonly string[], value: string): readonly string[] {
  return values.filter((one) => one !== value);
}

/** Maximum length of a tooltip, in characters. */
const MAX_HINT_LENGTH = 500;

interface ChipOptions {
  readonly key: string;
  readonly text: string;
  readonly hint?: string | undefined;
  /** Called to remove the value; absent if it can't be removed. */
  readonly onRemove?: (() => void) | undefined;
}

/**
 * Creates a chip: a value with a button that removes it. The style sheet truncates long text; the
 * tooltip shows the full text.
 */
export function chip({ key, text, hint, onRemove }: ChipOptions): HTMLElement {
  const title = (hint ?? text).slice(0, MAX_HINT_LENGTH);
  const value = element('span', { class: 'chip-text', title }, text);
  const made = element('span', { class: 'filter-chip' }, value);
  if (onRemove) {
    const label = l10n.t('Remove {0}', text.slice(0, MAX_HINT_LENGTH));
    const remove = toolButton('×', onRemove, { focusKey: `remove ${key}`, class: 'chip-remove' });
    remove.setAttribute('aria-label', label);
    made.append(remove);
  }
  return made;
}
