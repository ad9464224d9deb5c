import * as l10n from '@vscode/l10n';
import type { QueryLanguage, QueryText } from '../../src/shared/query/editor';
import type { QueryExample } from './exampleQueries';
import type {
  HistoryEntry,
  QueryErrorState,
  QueryPanelState,
} from '../../src/shared/query/queryPanel';
import type { ResultStatus, ShownResult } from '../../src/shared/query/results';
import type { HostRecoveryAction } from '../../src/shared/recoveryAction';
import { element, focusWhenHere } from '../ui/elements';
import type { ViewStateStore } from '../ui/createViewStateStore';
import { QueryEditor } from './editor/queryEditor';
import { NoticeBar } from '../ui/noticeBar';
import { EmptyState, ErrorBanner } from './queryNotices';
import { exampleQuery } from './exampleQueries';
import { HistoryPane } from './history/historyPane';
import { PanelRun, QueryRunner } from './queryRunner';
import { panelKeys, panelLayout } from './panelLayout';
import { ParameterRow } from './parameterRow';
import type { QueryContext } from './queryContext';
import { QueryTools } from './queryTools';
import { TextProblems } from './textProblems';

/** The area that shows a result. */
export interface ResultsArea {
  readonly element: HTMLElement;
  show(shown: ShownResult): void;
  changed(status: ResultStatus): void;
  /** Sets whether the problem list shows the reason for the query's failure. */
  setFailureListed(listed: boolean): void;
}

interface QueryAppOptions {
  readonly context: QueryContext;
  readonly organization: string;
  /** Initial state of the panel. */
  readonly begin: Pick<QueryPanelState, 'language' | 'texts' | 'recent' | 'parameters'>;
  readonly viewStates: ViewStateStore;
  /** Saves state that is restored when the window is reloaded. */
  readonly saveState: (change: Partial<QueryPanelState>) => void;
  readonly results: ResultsArea;
}

/** The frame of a query panel: toolbar, editor, and the last run's result. */
export class QueryApp {
  private readonly tools: QueryTools;
  private readonly editor: QueryEditor;
  private readonly problems: TextProblems;
  private readonly parameters: ParameterRow;
  private readonly notice: NoticeBar;
  private readonly errorBanner: ErrorBanner;
  private readonly history: HistoryPane;
  private readonly bottom = element('div', { class: 'query-bottom' });
  private readonly run: PanelRun;
  private readonly runner: QueryRunner;
  private hasResult = false;

  constructor(
    root: HTMLElement,
    private readonly options: QueryAppOptions,
  ) {
    const { context, begin } = options;
    const { host } = context;
    this.run = new PanelRun(options.viewStates);
    const recover = (recovery: HostRecoveryAction): void => host.send(recovery, undefined);
    this.notice = new NoticeBar({
      class: 'query-notice',
      recover,
      onDismiss: () => this.editor.focus(),
    });
    this.errorBanner = new ErrorBanner(recover);
    this.tools = this.makeTools();
    this.editor = this.makeEditor();
    this.problems = new TextProblems({
      context,
      editor: this.editor,
      recent: () => this.runner.recent,
      onFailureListed: (listed) => options.results.setFailureListed(listed),
      failure: () => this.run.problemIn(this.editor.language, this.editor.text),
      onParameters: (names) => this.parameters.show(names),
    });
    this.parameters = new ParameterRow({
      values: begin.parameters,
      onChange: (parameters) => options.saveState({ parameters }),
      pick: async (name) => (await host.request('pickParameter', { name })).value,
      failed: (error) => this.runner.failed(error),
      run: () => this.runner.runAll(),
    });
    const { editor, parameters, notice, run } = this;
    this.runner = new QueryRunner({
      context,
      editor,
      parameters,
      notice,
      run,
      recent: begin.recent,
    });
    this.history = this.makeHistory();
    this.layOut(root);
    this.showExamples();
    this.showFacts();
    this.problems.checkNow();
    focusWhenHere(() => this.editor.focus());
  }

  focusEditor(): void {
    this.editor.focus();
  }

  resultShown(shown: ShownResult): void {
    this.run.show(shown);
    this.hasResult = true;
    const { element: results } = this.options.results;
    if (results.parentElement !== this.bottom) this.bottom.replaceChildren(results);
    this.options.results.show(shown);
    this.showFacts();
    this.problems.show();
  }

  resultChanged(status: ResultStatus): void {
    this.options.results.changed(status);
    if (!this.run.changed(status)) return;
    this.showFacts();
    if (status.problem) this.problems.show();
    if (this.run.running === undefined) this.history.outdated();
  }

  setQueryText({ language, text }: QueryText): void {
    this.put(language, text);
  }

  organizationNamed(name: string): void {
    this.tools.showOrganization(name);
  }

  showErrorState(errorState: QueryErrorState): void {
    this.runner.problem = errorState.canRun === true ? undefined : errorState.problem;
    this.errorBanner.show(errorState);
    this.showFacts();
    if (errorState.problem === undefined) this.problems.checkNow();
  }

  private get query(): QueryText {
    return { language: this.editor.language, text: this.editor.text };
  }

  private put(language: QueryLanguage, text: string): void {
    this.setLanguage(language);
    this.editor.replaceDocument(text);
    this.problems.checkNow();
    focusWhenHere(() => this.editor.focus());
  }

  private setLanguage(language: QueryLanguage): void {
    if (language === this.editor.language) return;
    this.editor.setLanguage(language);
    this.options.saveState({ language });
    if (!this.hasResult) this.showExamples();
    this.showFacts();
    this.problems.checkNow();
  }

  private textChanged(): void {
    this.notice.clear();
    this.options.saveState({ texts: this.editor.texts });
    this.parameters.textChanged();
    this.problems.textChanged();
  }

  private setRecent(recent: boolean): void {
    if (!this.runner.setRecent(recent)) return;
    this.options.saveState({ recent });
    this.showFacts();
    this.problems.checkNow();
  }

  private async insertId(): Promise<void> {
    try {
      const { value } = await this.options.context.host.request('pickId', undefined);
      if (value !== undefined) this.editor.insertId(value);
      focusWhenHere(() => this.editor.focus());
    } catch (error) {
      this.runner.failed(error);
    }
  }

  private showExamples(): void {
    const { language } = this.editor;
    const getText = (example: QueryExample): string =>
      exampleQuery(example, { language, now: Date.now() });
    const use = (example: QueryExample): void => this.put(language, getText(example));
    const empty = new EmptyState({ use, getText });
    this.bottom.replaceChildren(empty.element);
  }

  private showFacts(): void {
    const { recent, problem } = this.runner;
    this.tools.show({
      language: this.editor.language,
      recent,
      problem,
      running: this.run.running !== undefined,
      hasSelection: this.editor.selection !== undefined,
      historyIsOpen: this.history.isOpen,
    });
  }

  private toggleHistory(): void {
    if (this.history.isOpen) this.history.close();
    else this.history.open();
    this.showFacts();
  }

  private makeTools(): QueryTools {
    const { context, organization } = this.options;
    return new QueryTools(organization, {
      setLanguage: (language) => this.setLanguage(language),
      run: () => this.runner.runAll(),
      runSelection: () => this.runner.runSelection(),
      cancel: () => this.runner.cancel(),
      setRecent: (recent) => this.setRecent(recent),
      insertId: () => void this.insertId(),
      toggleHistory: () => this.toggleHistory(),
      save: () => context.host.send('saveQuery', this.query),
      open: () => context.host.send('openQuery', undefined),
    });
  }

  private makeEditor(): QueryEditor {
    const { context, begin } = this.options;
    return new QueryEditor({
      language: begin.language,
      texts: begin.texts,
      actions: {
        complete: (at, signal) => {
          const { language } = this.editor;
          return context.host.request('completeQuery', { language, ...at }, signal);
        },
        hover: async (at) => {
          const { language } = this.editor;
          return (await context.host.request('hoverQuery', { language, ...at })).hover;
        },
        run: () => this.runner.runAll(),
        runSelection: () => this.runner.runSelection(),
        cancel: () => this.runner.cancel(),
        focusFix: (offset) => this.problems.focusFix(offset),
      },
      onText: () => this.textChanged(),
      onSelection: () => this.showFacts(),
    });
  }

  private makeHistory(): HistoryPane {
    const use = ({ language, text }: HistoryEntry): void => {
      this.history.hide();
      this.put(language, text);
      this.showFacts();
    };
    return new HistoryPane(this.options.context, {
      use,
      runAgain: (entry) => {
        use(entry);
        this.runner.runAll();
      },
      closed: () => {
        this.showFacts();
        this.tools.history.focus();
      },
      failed: (error) => this.runner.failed(error),
    });
  }

  private layOut(root: HTMLElement): void {
    const { viewStates } = this.options;
    const { parameters, editor, problems, history, bottom } = this;
    const panelElements = {
      head: [this.tools.element, this.errorBanner.element, this.notice.element],
      top: [parameters.element, editor.element, problems.element],
      bottom,
      side: history.element,
    };
    panelLayout(root, panelElements, { label: l10n.t('Editor height'), viewStates });
    panelKeys(root, {
      run: () => this.runner.runAll(),
      runSelection: () => this.runner.runSelection(),
      cancel: () => this.runner.cancel(),
    });
  }
}
