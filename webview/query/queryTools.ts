import { type QueryLanguage, queryLanguages } from '../../src/shared/query/editor';
import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import { element, type ToggleButton, toggleButton, toolButton } from '../ui/elements';
import { fillPlaceholders } from '../ui/format';
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

  constructor(
    private readonly strings: QueryFrameStrings,
    organization: string,
    actions: ToolActions,
  ) {
    const { tools } = strings;
    this.languages = new Map(
      queryLanguages.map((language) => [
        language,
        toggleButton(tools.languages[language], () => actions.setLanguage(language), {
          focusKey: `query ${language}`,
        }),
      ]),
    );
    this.runAll = toolButton(tools.run, () => actions.run(), {
      focusKey: 'query run',
      class: 'query-run',
    });
    this.runPart = toolButton(tools.runSelection, () => actions.runSelection(), {
      focusKey: 'query run selection',
    });
    this.cancel = toolButton(tools.cancel, () => actions.cancel(), {
      focusKey: 'query cancel',
      hint: fillPlaceholders(tools.cancelHint, keyNames.cancel),
    });
    this.recent = toggleButton(tools.recent, actions.setRecent, { focusKey: 'query recent' });
    this.history = toolButton(tools.history, () => actions.toggleHistory(), {
      focusKey: 'query history',
    });
    this.history.setAttribute('aria-controls', 'query-history');
    const insert = toolButton(tools.insertId, () => actions.insertId(), {
      focusKey: 'query insert id',
      hint: tools.insertIdHint,
    });
    const files = [
      { label: tools.save, onPress: () => actions.save() },
      { label: tools.open, onPress: () => actions.open() },
    ];
    this.showOrganization(organization);
    this.element = element(
      'div',
      { class: 'query-tools', role: 'toolbar', 'aria-label': tools.label },
      this.heading,
      this.group(tools.language, [...this.languages.values()]),
      element('div', { class: 'tool-group' }, this.runAll, this.runPart, this.cancel),
      element(
        'div',
        { class: 'tool-group' },
        this.recent.element,
        insert,
        this.history,
        menuButton(tools.more, () => files, { focusKey: 'query more' }),
      ),
    );
  }

  /** Shows the organization whose data is queried. */
  showOrganization(organization: string): void {
    const name = fillPlaceholders(this.strings.tools.organization, organization);
    this.heading.textContent = name;
    this.heading.title = name;
  }

  show({ language, recent, running, hasSelection, problem, historyIsOpen }: ToolFacts): void {
    const { tools, states } = this.strings;
    for (const [name, toggle] of this.languages) toggle.setOn(name === language);
    const cannotRun =
      problem === undefined ? undefined : fillPlaceholders(states.cannotRun, problem);
    const noPart = cannotRun ?? (hasSelection ? undefined : states.nothingSelected);
    this.offer(this.runAll, fillPlaceholders(tools.runHint, keyNames.run), cannotRun);
    const partHint = fillPlaceholders(tools.runSelectionHint, keyNames.runSelection);
    this.offer(this.runPart, partHint, noPart);
    this.cancel.disabled = !running;
    const isSql = language === 'sql';
    this.recent.setOn(recent && !isSql);
    this.offer(this.recent.element, tools.recentHint, isSql ? tools.recentInSql : undefined);
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
