import type { PageFile, PageItem, PageVersion, VersionFiles } from '../../src/shared/registryItem';
import { button, element, redrawKeepingFocus, textButton } from '../ui/elements';
import { fillPlaceholders, localeTag } from '../ui/format';
import type { ItemContext } from './itemContext';

/**
 * Number of versions shown initially. Users usually look for one of the newest versions; older
 * versions are shown on request.
 */
const FIRST_SHOWN = 10;
const SHOWN_MORE = 100;

/** The versions of an item; information about their archives is added later. */
export class VersionSection {
  readonly element = element('div', { class: 'versions' });
  private shown = FIRST_SHOWN;
  private loadedFiles: readonly VersionFiles[] = [];
  private problem: string | undefined;

  constructor(
    private item: PageItem,
    private readonly context: ItemContext,
    before: VersionSection | undefined,
  ) {
    if (before) this.shown = before.shown;
    if (before) this.loadedFiles = before.loadedFiles;
    this.draw();
  }

  /** Shows an updated state of the same item. */
  show(item: PageItem): void {
    this.item = item;
    this.draw();
  }

  /** @param problem reason why no archive information is available */
  setFiles(files: readonly VersionFiles[], problem?: string): void {
    this.loadedFiles = files;
    this.problem = problem;
    this.draw();
  }

  private draw(): void {
    redrawKeepingFocus(
      this.element,
      () => this.element.replaceChildren(...this.parts()),
      () => undefined,
    );
  }

  private parts(): HTMLElement[] {
    const { item, context, shown, problem } = this;
    const { versions: labels } = context.strings;
    if (item.versions.length === 0) {
      const none = element('p', { class: 'faint' }, labels.none);
      const upload = (): void => context.host.send('upload', undefined);
      return item.canUpload
        ? [none, button(labels.upload, upload, { focusKey: 'upload version' })]
        : [none];
    }
    const versions = mergeFiles(item.versions.slice(0, shown), this.loadedFiles);
    const parts: HTMLElement[] = [versionTable({ ...item, versions }, context)];
    if (problem !== undefined) {
      parts.push(element('p', { class: 'note' }, fillPlaceholders(labels.filesFailed, problem)));
    }
    const hidden = item.versions.length - shown;
    if (hidden > 0) parts.push(this.more(hidden));
    return parts;
  }

  private more(hidden: number): HTMLElement {
    const label = fillPlaceholders(
      this.context.strings.versions.more,
      Math.min(hidden, SHOWN_MORE).toLocaleString(this.context.locale),
    );
    return textButton(label, () => this.showMore(), { focusKey: 'more versions', hint: label });
  }

  private showMore(): void {
    const before = this.shown;
    this.shown += SHOWN_MORE;
    this.draw();
    // Move the focus to the first added version.
    const version = this.element.querySelectorAll<HTMLElement>('tbody').item(before);
    version.querySelector<HTMLElement>('[data-focus]')?.focus();
  }
}

/**
 * Merges versions with separately loaded archive information: the sizes of archives, and the
 * archives themselves if a version doesn't list any.
 */
function mergeFiles(
  versions: readonly PageVersion[],
  loaded: readonly VersionFiles[],
): readonly PageVersion[] {
  const byVersion = new Map(loaded.map(({ version, files }) => [version, files]));
  return versions.map((version) => {
    const files = byVersion.get(version.version);
    return files ? { ...version, files: mergedFiles(version.files, files) } : version;
  });
}

function mergedFiles(own: readonly PageFile[], loaded: readonly PageFile[]): readonly PageFile[] {
  if (own.length === 0) return loaded;
  const byPlatform = new Map(loaded.map((file) => [file.platform, file]));
  return own.map((file) => ({ ...byPlatform.get(file.platform), ...file }));
}

/** Creates a table of an item's versions and their archives, one row per archive. */
function versionTable(
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
  const { anyPlatform, noFile, unknownValue } = strings.versions;
  if (!file) {
    return [element('td', { class: 'faint', colspan: hasSizes ? '2' : undefined }, noFile)];
  }
  const platform = ['', 'any'].includes(file.platform) ? anyPlatform : file.platform;
  const { uploadedAt } = file;
  const title =
    uploadedAt === undefined ? undefined : renderDay(uploadedAt, locale).getAttribute('title');
  return [
    element('td', { title: title ?? undefined }, platform),
    ...(hasSizes ? [element('td', {}, file.size ?? unknownValue)] : []),
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
        focusKey: `deploy ${version}`,
        hint: fillPlaceholders(deployHint, version),
      }),
    );
  }
  if (files.length > 0) {
    made.push(
      textButton(download, () => host.send('download', { version }), {
        focusKey: `download ${version}`,
        hint: fillPlaceholders(downloadHint, version),
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
