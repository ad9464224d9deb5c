import * as l10n from '@vscode/l10n';
import type { PageItem, PageModel, VersionFiles } from '../../src/shared/registryItem';
import { type Child, button, element, readOnlyNote, textButton, toolButton } from '../ui/elements';
import { itemFacts, type MetricsOptions, MetricsSection } from './metricsSection';
import type { ItemContext } from './itemContext';
import { markdownView } from './markdown/markdownView';
import { VersionSection } from './versionSection';
import { localeTag } from '../ui/format';

interface ItemViewOptions extends HeaderActions, MetricsOptions {
  readonly unfolded: ReadonlySet<string>;
  readonly onFold: (model: string, isUnfolded: boolean) => void;
}

/** Level of the section headings. */
const LEVEL = 2;

/** A registry item's view. */
export class ItemView {
  readonly elements: readonly HTMLElement[];
  private readonly age: AgeBadge;
  private readonly versions: VersionSection;
  private readonly metrics: MetricsSection | undefined;

  /** @param before the view that is replaced, whose details stay visible until they are reloaded */
  constructor(
    item: PageItem,
    context: ItemContext,
    options: ItemViewOptions,
    before: ItemView | undefined,
  ) {
    this.age = new AgeBadge(context);
    this.versions = new VersionSection(item, context, before?.versions);
    this.metrics = item.hasMetrics
      ? new MetricsSection(item, context, options, before?.metrics)
      : undefined;
    const sections = this.sections(item, context, options);
    const contents = sections.length > 1 ? [createTableOfContents(sections)] : [];
    this.elements = [
      itemHeader(item, context, options, this.age.element),
      ...contents,
      element(
        'div',
        { class: 'columns' },
        itemFacts(item.facts, l10n.t('Details')),
        element('div', { class: 'sections' }, ...sections),
      ),
    ];
  }

  /**
   * Shows that the item might have changed since a given time, in milliseconds since 1970;
   * undefined removes the note.
   */
  markAge(readAt: number | undefined): void {
    this.age.show(readAt);
  }

  /** @param problem reason why no archive information is available */
  showFiles(files: readonly VersionFiles[], problem?: string): void {
    this.versions.setFiles(files, problem);
  }

  /**
   * Loads the metrics for the selected version if the item has metrics and they aren't loaded yet.
   */
  async loadMetrics(): Promise<void> {
    await this.metrics?.read();
  }

  /** Shows the metrics for another version, provided that the item has metrics. */
  selectMetrics(version: string): void {
    this.metrics?.choose(version);
  }

  revealMetrics(): void {
    this.metrics?.element.closest('section')?.scrollIntoView({ block: 'start' });
  }

  private sections(item: PageItem, context: ItemContext, options: ItemViewOptions): HTMLElement[] {
    const made = [section(l10n.t('Description'), description(item, context))];
    if (this.metrics) made.push(section(l10n.t('Metrics'), [this.metrics.element]));
    if (item.models) {
      const list = modelList(item.models, context, options);
      const none = element('p', { class: 'faint' }, l10n.t("This item doesn't list any models."));
      made.push(section(l10n.t('Models'), list.length > 0 ? list : [none], item.models.length));
    }
    made.push(section(l10n.t('Versions'), [this.versions.element], item.versions.length));
    return made;
  }
}

function section(heading: string, content: readonly Child[], count?: number): HTMLElement {
  const name = count === undefined ? heading : `${heading} (${String(count)})`;
  return element(
    'section',
    { 'aria-label': name },
    element('h2', { tabindex: '-1' }, name),
    ...content,
  );
}

/** Creates links to the sections on the page, which can be long. */
function createTableOfContents(sections: readonly HTMLElement[]): HTMLElement {
  const links = sections.flatMap((one) => {
    const heading = one.querySelector('h2');
    const name = heading?.textContent ?? '';
    const go = (): void => {
      heading?.focus();
      heading?.scrollIntoView({ block: 'start' });
    };
    return [textButton(name, go, { focusKey: `section ${name}`, hint: name })];
  });
  return element('nav', { class: 'contents', 'aria-label': l10n.t('On this page') }, ...links);
}

function description(item: PageItem, { host }: ItemContext): Child[] {
  const { text } = item;
  const short = element('p', { class: 'short', dir: 'auto' }, item.description);
  if (!text && item.description === '') {
    return [element('p', { class: 'faint' }, l10n.t("The owner hasn't added a description."))];
  }
  const long =
    text &&
    markdownView(text, {
      above: LEVEL,
      focusKey: 'text',
      openLink: (url) => host.send('openLink', { url }),
      openText: () => host.send('openText', {}),
    });
  return [item.description === '' ? undefined : short, long];
}

/** Badge that shows when a possibly outdated item was loaded. Its container is always rendered. */
class AgeBadge {
  readonly element = element('span', { class: 'badge age', hidden: '' });

  constructor(private readonly context: ItemContext) {}

  /** @param readAt in milliseconds since 1970; undefined if the item is up to date */
  show(readAt: number | undefined): void {
    this.element.hidden = readAt === undefined;
    if (readAt === undefined) return;
    const { locale } = this.context;
    const time = new Date(readAt);
    const tag = localeTag(locale);
    this.element.textContent = l10n.t(
      'As of {0}',
      time.toLocaleTimeString(tag, { timeStyle: 'short' }),
    );
    this.element.title = l10n.t(
      'Loaded on {0}. The item might have changed since then.',
      time.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'medium' }),
    );
  }
}

interface HeaderActions {
  readonly copyId: () => void;
  readonly refresh: () => void;
}

/** Creates the header with the item's name, owner, kind, and actions. */
function itemHeader(
  item: PageItem,
  { host }: ItemContext,
  { copyId, refresh }: HeaderActions,
  age: HTMLElement,
): HTMLElement {
  const badges = item.badges.map((text) => element('span', { class: 'badge' }, text));
  const isDeprecated = item.deprecated !== undefined;
  return element(
    'header',
    {},
    element(
      'div',
      { class: 'titles' },
      element('h1', { dir: 'auto' }, item.name),
      element('p', { class: 'place', dir: 'auto' }, item.owner),
      element(
        'p',
        { class: 'badges' },
        ...badges,
        isDeprecated
          ? element('span', { class: 'badge warning' }, l10n.t('deprecated'))
          : undefined,
        age,
      ),
    ),
    element(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': l10n.t('Actions') },
      item.canDeploy
        ? button(l10n.t('Deploy to Machine…'), () => host.send('deploy', {}), {
            focusKey: 'deploy',
            primary: true,
          })
        : undefined,
      readOnlyNote(item.readOnly),
      tool(l10n.t('Copy ID'), copyId, 'copy id', item.id),
      item.url !== undefined
        ? tool(
            l10n.t('Open Website'),
            () => host.send('openUrl', undefined),
            'open url',
            l10n.t('Open {0}', item.url),
          )
        : undefined,
      tool(l10n.t('Refresh'), refresh, 'refresh'),
    ),
    isDeprecated
      ? element(
          'p',
          { class: 'deprecated', role: 'note', dir: 'auto' },
          l10n.t('Deprecated by its owner: {0}', item.deprecated ?? ''),
        )
      : undefined,
  );
}

function tool(label: string, onPress: () => void, focusKey: string, hint?: string): HTMLElement {
  return toolButton(label, onPress, {
    focusKey,
    class: 'bordered',
    ...(hint !== undefined && { hint }),
  });
}

interface ModelListOptions {
  /** Names of the expanded models. */
  readonly unfolded: ReadonlySet<string>;
  readonly onFold: (model: string, isUnfolded: boolean) => void;
}

/** Level of a model's heading. */
const MODEL_LEVEL = 3;

/**
 * Creates the list of a module's models. A model's description is rendered when the user expands
 * the model.
 */
function modelList(
  models: readonly PageModel[],
  context: ItemContext,
  options: ModelListOptions,
): HTMLElement[] {
  return models.map((model) => drawModel(model, context, options));
}

function drawModel(
  model: PageModel,
  context: ItemContext,
  { unfolded, onFold }: ModelListOptions,
): HTMLElement {
  const isUnfolded = unfolded.has(model.model);
  const heading = element(
    'summary',
    { 'data-focus': `model ${model.model}` },
    element('h3', { dir: 'auto' }, model.model),
    element('span', { class: 'api' }, l10n.t('API: {0}', model.api)),
    model.description === ''
      ? undefined
      : element('span', { class: 'short', dir: 'auto' }, model.description),
  );
  const made = element('details', { class: 'model', open: isUnfolded ? '' : undefined }, heading);
  const fill = (): void => {
    if (made.childElementCount === 1) made.append(renderModelDescription(model, context));
  };
  if (isUnfolded) fill();
  made.addEventListener('toggle', () => {
    if (made.open) fill();
    if (made.open !== unfolded.has(model.model)) onFold(model.model, made.open);
  });
  return made;
}

function renderModelDescription({ model, text }: PageModel, { host }: ItemContext): HTMLElement {
  if (!text) return element('p', { class: 'faint' }, l10n.t('This model has no documentation.'));
  return markdownView(text, {
    above: MODEL_LEVEL,
    focusKey: `text ${model}`,
    openLink: (url) => host.send('openLink', { url }),
    openText: () => host.send('openText', { model }),
  });
}
