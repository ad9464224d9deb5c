import * as l10n from '@vscode/l10n';
import { LANGUAGE_NAMES } from './queryContext';
import { type QueryLanguage, queryLanguages } from '../../src/shared/query/editor';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { menuButton } from '../ui/menuButton';
import { keyNames } from './editor/editorExtensions';

export interface ToolActions {
  readonly setLanguage: (language: QueryLanguage) => void;
  readonly run: () => void;
  readonly runSelection: () => void;
  readonly cancel: () => void;
  readonly setRecent: (recent: boolean) => void;
  readonly insertId: () => void;
  readonly toggleHistory: () => void;
  readonly save: () => void;
  readonly open: () => void;
}

export interface ToolFacts {
  readonly language: QueryLanguage;
  readonly recent: boolean;
  readonly running: boolean;
  readonly hasSelection: boolean;
  /** The reason why queries can't be run, if any. */
  readonly problem: string | undefined;
  readonly historyIsOpen: boolean;
}

/**
 * The toolbar of the query panel. An unavailable action stays in place and, when the user tries it,
 * explains why it is unavailable.
 */
export class QueryTools {
  readonly element: HTMLElement;
  private readonly languages: ReadonlyMap<QueryLanguage, ToggleButton>;
  private readonly runAll: HTMLButtonElement;
  private readonly runPart: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private readonly recent: ToggleButton;
  readonly history: HTMLButtonElement;
  private readonly heading = element('h1', { class: 'query-organization', dir: 'auto' });

  constructor(organization: string, actions: ToolActions) {
    this.languages = new Map(
      queryLanguages.map((language) => [
        language,
        toggleButton(LANGUAGE_NAMES[language], () => actions.setLanguage(language), {
          focusKey: `query ${language}`,
        }),
      ]),
    );
    this.runAll = toolButton(l10n.t('Run'), () => actions.run(), {
      focusKey: 'query run',
      class: 'query-run',
    });
    this.runPart = toolButton(l10n.t('Run Selection'), () => actions.runSelection(), {
      focusKey: 'query run selection',
    });
    this.cancel = toolButton(l10n.t('Cancel'), () => actions.cancel(), {
      focusKey: 'query cancel',
      hint: l10n.t('Cancel the query ({0})', keyNames.cancel),
    });
    this.recent = toggleButton(l10n.t('Recent Data Only'), actions.setRecent, {
      focusKey: 'query recent',
    });
    this.history = toolButton(l10n.t('History'), () => actions.toggleHistory(), {
      focusKey: 'query history',
    });
    this.history.setAttribute('aria-controls', 'query-history');
    const insert = toolButton(l10n.t('Insert ID…'), () => actions.insertId(), {
      focusKey: 'query insert id',
      hint: l10n.t('Select a location, machine, part, or component to insert its ID at the cursor'),
    });
    const files = [
      { label: l10n.t('Save as File…'), onPress: () => actions.save() },
      { label: l10n.t('Open File…'), onPress: () => actions.open() },
    ];
    this.showOrganization(organization);
    this.element = element(
      'div',
      { class: 'query-tools', role: 'toolbar', 'aria-label': l10n.t('Query') },
      this.heading,
      this.group(l10n.t('Language'), [...this.languages.values()]),
      element('div', { class: 'tool-group' }, this.runAll, this.runPart, this.cancel),
      element(
        'div',
        { class: 'tool-group' },
        this.recent.element,
        insert,
        this.history,
        menuButton(l10n.t('More'), () => files, { focusKey: 'query more' }),
      ),
    );
  }

  /** Shows the organization whose data is queried. */
  showOrganization(organization: string): void {
    const name = l10n.t('Readings of {0}', organization);
    this.heading.textContent = name;
    this.heading.title = name;
  }

  show({ language, recent, running, hasSelection, problem, historyIsOpen }: ToolFacts): void {
    for (const [name, toggle] of this.languages) toggle.setOn(name === language);
    const cannotRun =
      problem === undefined ? undefined : l10n.t("Queries aren't available: {0}", problem);
    const noPart =
      cannotRun ??
      (hasSelection ? undefined : l10n.t('First, select the part of the query to run.'));
    this.offer(this.runAll, l10n.t('Run the query ({0})', keyNames.run), cannotRun);
    const partHint = l10n.t('Run only the selection ({0})', keyNames.runSelection);
    this.offer(this.runPart, partHint, noPart);
    this.cancel.disabled = !running;
    const isSql = language === 'sql';
    this.recent.setOn(recent && !isSql);
    this.offer(
      this.recent.element,
      l10n.t('Query recent data only (faster)'),
      isSql
        ? l10n.t('To query only recent data, use MQL. In SQL, add a condition on time_received.')
        : undefined,
    );
    this.history.setAttribute('aria-expanded', String(historyIsOpen));
  }

  /** @param reason why the action is unavailable */
  private offer(tool: HTMLElement, hint: string, reason: string | undefined): void {
    tool.title = reason ?? hint;
    if (reason === undefined) tool.removeAttribute('aria-disabled');
    else tool.setAttribute('aria-disabled', 'true');
  }

  private group(label: string, toggles: readonly ToggleButton[]): HTMLElement {
    const attributes = { class: 'mode-switch', role: 'group', 'aria-label': label };
    return element('div', attributes, ...toggles.map((toggle) => toggle.element));
  }
}
