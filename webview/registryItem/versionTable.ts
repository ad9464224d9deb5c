import type { PageFile, PageItem, PageVersion } from '../../src/shared/registryItem';
import { element, textButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import type { ItemContext } from './itemContext';
import { localeTag } from '../ui/localeTag';

/** Creates a table of an item's versions and their archives, one row per archive. */
export function versionTable(
  { versions, canDeploy }: Pick<PageItem, 'versions' | 'canDeploy'>,
  context: ItemContext,
): HTMLElement {
  const { versions: labels } = context.strings;
  const options = { canDeploy, hasSizes: versions.some(({ files }) => files.some(isSized)) };
  const columns = [labels.version, labels.created, labels.platform];
  if (options.hasSizes) columns.push(labels.size);
  return element(
    'table',
    { 'aria-label': labels.heading },
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...columns.map((name) => element('th', { scope: 'col' }, name)),
        element(
          'th',
          { scope: 'col' },
          element('span', { class: 'visually-hidden' }, labels.actions),
        ),
      ),
    ),
    ...versions.map((version) => versionRows(version, options, context)),
  );
}

interface TableOptions {
  readonly canDeploy: boolean;
  /**
   * True if the table has a column for sizes. The service doesn't report the sizes of other
   * organizations' archives.
   */
  readonly hasSizes: boolean;
}

function isSized({ size }: PageFile): boolean {
  return size !== undefined;
}

/** Creates a separate row group for a version. */
function versionRows(
  version: PageVersion,
  options: TableOptions,
  context: ItemContext,
): HTMLElement {
  const { createdAt } = version;
  const { locale, strings } = context;
  const files: readonly (PageFile | undefined)[] =
    version.files.length > 0 ? version.files : [undefined];
  const span = { rowspan: String(files.length) };
  const created =
    createdAt === undefined ? strings.versions.unknownValue : renderDay(createdAt, locale);
  const rows = files.map((file, index) =>
    element(
      'tr',
      {},
      index === 0
        ? element(
            'th',
            { scope: 'rowgroup', class: 'version', ...span },
            ...named(version, context),
          )
        : undefined,
      index === 0 ? element('td', span, created) : undefined,
      ...fileCells(file, options, context),
      index === 0
        ? element('td', { class: 'actions', ...span }, ...actions(version, options, context))
        : undefined,
    ),
  );
  return element('tbody', {}, ...rows);
}

function named(
  { version, deprecated }: PageVersion,
  { strings }: ItemContext,
): (HTMLElement | string)[] {
  if (deprecated === undefined) return [version];
  const hint = fillPlaceholders(strings.deprecated, deprecated);
  return [
    version,
    ' ',
    element('span', { class: 'badge warning', title: hint }, strings.deprecatedBadge),
  ];
}

function fileCells(
  file: PageFile | undefined,
  { hasSizes }: TableOptions,
  { strings, locale }: ItemContext,
): HTMLElement[] {
  const { anyPlatform, noFile, unknownValue: notTold } = strings.versions;
  if (!file)
    return [element('td', { class: 'faint', colspan: hasSizes ? '2' : undefined }, noFile)];
  const platform = ['', 'any'].includes(file.platform) ? anyPlatform : file.platform;
  const { uploadedAt } = file;
  const title =
    uploadedAt === undefined ? undefined : renderDay(uploadedAt, locale).getAttribute('title');
  return [
    element('td', { title: title ?? undefined }, platform),
    ...(hasSizes ? [element('td', {}, file.size ?? notTold)] : []),
  ];
}

function actions(
  { version, files }: PageVersion,
  { canDeploy }: TableOptions,
  { host, strings }: ItemContext,
): HTMLElement[] {
  const { download, downloadHint, deploy, deployHint } = strings.versions;
  const made: HTMLElement[] = [];
  if (canDeploy) {
    made.push(
      textButton(deploy, () => host.send('deploy', { version }), {
        ...{ focusKey: `deploy ${version}`, hint: fillPlaceholders(deployHint, version) },
      }),
    );
  }
  if (files.length > 0) {
    made.push(
      textButton(download, () => host.send('download', { version }), {
        ...{ focusKey: `download ${version}`, hint: fillPlaceholders(downloadHint, version) },
      }),
    );
  }
  return made;
}

/** Renders a date for a locale, with the full date and time as a tooltip. */
function renderDay(milliseconds: number, locale: string): HTMLElement {
  const date = new Date(milliseconds);
  const tag = localeTag(locale);
  return element(
    'time',
    {
      datetime: date.toISOString(),
      title: date.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'medium' }),
    },
    date.toLocaleDateString(tag, { dateStyle: 'medium' }),
  );
}
