import * as l10n from '@vscode/l10n';
import type { PageFile, PageItem, PageVersion, VersionFiles } from '../../src/shared/registryItem';
import { button, element, redrawKeepingFocus, textButton } from '../ui/elements';
import { localeTag } from '../ui/format';
import type { ItemContext } from './itemContext';

/**
 * Number of versions shown initially. Users usually look for one of the newest versions; older
 * versions are shown on request.
 */
const FIRST_SHOWN = 10;
const SHOWN_MORE = 100;

/** An item's versions; information about their archives is added later. */
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
    if (item.versions.length === 0) {
      const none = element('p', { class: 'faint' }, l10n.t('No versions have been uploaded yet.'));
      const upload = (): void => context.host.send('upload', undefined);
      return item.canUpload
        ? [none, button(l10n.t('Upload Version…'), upload, { focusKey: 'upload version' })]
        : [none];
    }
    const versions = mergeFiles(item.versions.slice(0, shown), this.loadedFiles);
    const parts: HTMLElement[] = [versionTable({ ...item, versions }, context)];
    if (problem !== undefined) {
      parts.push(
        element('p', { class: 'note' }, l10n.t("Couldn't read the archive sizes. {0}", problem)),
      );
    }
    const hidden = item.versions.length - shown;
    if (hidden > 0) parts.push(this.more(hidden));
    return parts;
  }

  private more(hidden: number): HTMLElement {
    const label = l10n.t(
      'Show {0} More',
      Math.min(hidden, SHOWN_MORE).toLocaleString(this.context.locale),
    );
    return textButton(label, () => this.showMore(), { focusKey: 'more versions', hint: label });
  }

  private showMore(): void {
    const before = this.shown;
    this.shown += SHOWN_MORE;
    this.draw();
    // Move focus to the first added version.
    const version = this.element.querySelectorAll<HTMLElement>('tbody').item(before);
    version.querySelector<HTMLElement>('[data-focus]')?.focus();
  }
}

/**
 * Merges versions with separately loaded archive information. Adds the sizes of archives, and the
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
  const options = {
    canDeploy,
    hasSizes: versions.some(({ files }) => files.some(isSized)),
  };
  const columns = [l10n.t('Version'), l10n.t('Created'), l10n.t('Platform')];
  if (options.hasSizes) columns.push(l10n.t('Size'));
  return element(
    'table',
    { 'aria-label': l10n.t('Versions') },
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
          element('span', { class: 'visually-hidden' }, l10n.t('Actions')),
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
  const { locale } = context;
  const files: readonly (PageFile | undefined)[] =
    version.files.length > 0 ? version.files : [undefined];
  const span = { rowspan: String(files.length) };
  const created = createdAt === undefined ? l10n.t('unknown') : renderDay(createdAt, locale);
  const rows = files.map((file, index) =>
    element(
      'tr',
      {},
      index === 0
        ? element('th', { scope: 'rowgroup', class: 'version', ...span }, ...named(version))
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

function named({ version, deprecated }: PageVersion): (HTMLElement | string)[] {
  if (deprecated === undefined) return [version];
  const hint = l10n.t('Deprecated by its owner: {0}', deprecated);
  return [
    version,
    ' ',
    element('span', { class: 'badge warning', title: hint }, l10n.t('deprecated')),
  ];
}

function fileCells(
  file: PageFile | undefined,
  { hasSizes }: TableOptions,
  { locale }: ItemContext,
): HTMLElement[] {
  if (!file) {
    return [
      element(
        'td',
        { class: 'faint', colspan: hasSizes ? '2' : undefined },
        l10n.t("The service doesn't list the archives of this version."),
      ),
    ];
  }
  const platform = ['', 'any'].includes(file.platform) ? l10n.t('any') : file.platform;
  const { uploadedAt } = file;
  const title =
    uploadedAt === undefined ? undefined : renderDay(uploadedAt, locale).getAttribute('title');
  return [
    element('td', { title: title ?? undefined }, platform),
    ...(hasSizes ? [element('td', {}, file.size ?? l10n.t('unknown'))] : []),
  ];
}

function actions(
  { version, files }: PageVersion,
  { canDeploy }: TableOptions,
  { host }: ItemContext,
): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (canDeploy) {
    made.push(
      textButton(l10n.t('Deploy…'), () => host.send('deploy', { version }), {
        focusKey: `deploy ${version}`,
        hint: l10n.t('Deploy version {0} to a machine', version),
      }),
    );
  }
  if (files.length > 0) {
    made.push(
      textButton(l10n.t('Download…'), () => host.send('download', { version }), {
        focusKey: `download ${version}`,
        hint: l10n.t('Download version {0}', version),
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
