import type { QueryLanguage, QueryText } from '../../src/shared/query/editor';
import type { QueryExample } from '../../src/shared/query/queryFrameStrings';
import type {
  HistoryEntry,
  QueryPanelState,
  QueryTrouble,
  ShownResult,
} from '../../src/shared/query/queryPanel';
import type { ResultStatus } from '../../src/shared/query/results';
import { HostError } from '../messaging/hostConnection';
import { element } from '../ui/elements';
import { focusWhenHere } from '../ui/focusWhenHere';
import type { KeptViews } from '../ui/keptViews';
import { type EditorPart, QueryEditor } from './editor/queryEditor';
import { EmptyState } from './emptyState';
import { exampleQuery } from './exampleQueries';
import { HistoryPane } from './history/historyPane';
import { NoticeBar } from './noticeBar';
import { PanelRun } from './panelRun';
import { panelKeys } from './panelKeys';
import { panelLayout } from './panelLayout';
import { ParameterRow } from './parameterRow';
import type { QueryContext } from './queryContext';
import { QueryTools } from './queryTools';
import { TextProblems } from './textProblems';
import { TroubleBar } from './troubleBar';

/** What shows a result. */
export interface ResultsArea {
  readonly element: HTMLElement;
  show(shown: ShownResult): void;
  changed(status: ResultStatus): void;
}

interface QueryAppOptions {
  readonly context: QueryContext;
  readonly organization: string;
  /** What the panel begins with. */
  readonly begin: Pick<QueryPanelState, 'language' | 'texts' | 'recent' | 'parameters'>;
  readonly kept: KeptViews;
  /** Keeps what a reload of the window comes back to. */
  readonly keep: (change: Partial<QueryPanelState>) => void;
  readonly results: ResultsArea;
}

/** The frame of a query panel: tools, editor, and the result of what was run last. */
export class QueryApp {
  private readonly tools: QueryTools;
  private readonly editor: QueryEditor;
  private readonly problems: TextProblems;
  private readonly parameters: ParameterRow;
  private readonly notice: NoticeBar;
  private readonly trouble: TroubleBar;
  private readonly history: HistoryPane;
  private readonly bottom = element('div', { class: 'query-bottom' });
  private readonly run: PanelRun;
  private problem: string | undefined;
  private recent: boolean;
  private hasResult = false;

  constructor(
    root: HTMLElement,
    private readonly options: QueryAppOptions,
  ) {
    const { context, begin } = options;
    const { strings, host } = context;
    this.recent = begin.recent;
    this.run = new PanelRun(options.kept);
    this.notice = new NoticeBar(strings.states, () => this.editor.focus());
    this.trouble = new TroubleBar(strings.states, () => host.send('signIn', undefined));
    this.tools = this.makeTools();
    this.editor = this.makeEditor();
    this.problems = new TextProblems({
      ...{ context, editor: this.editor },
      failure: () => this.run.problemIn(this.editor.language, this.editor.text),
      onParameters: (names) => this.parameters.show(names),
    });
    this.parameters = new ParameterRow({
      ...{ strings: strings.parameters, values: begin.parameters },
      onChange: (parameters) => options.keep({ parameters }),
      pick: async (name) => (await host.request('pickParameter', { name })).value,
      failed: (error) => this.failed(error),
      run: () => this.runAll(),
    });
    this.history = this.makeHistory();
    this.place(root);
    this.showExamples();
    this.showFacts();
    this.problems.checkNow();
    focusWhenHere(() => this.editor.focus());
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

  textGiven({ language, text }: QueryText): void {
    this.put(language, text);
  }

  organizationNamed(name: string): void {
    this.tools.showOrganization(name);
  }

  troubled(trouble: QueryTrouble): void {
    this.problem = trouble.problem;
    this.trouble.show(trouble);
    this.showFacts();
    if (trouble.problem === undefined) this.problems.checkNow();
  }

  private get query(): QueryText {
    return { language: this.editor.language, text: this.editor.text };
  }

  private put(language: QueryLanguage, text: string): void {
    this.setLanguage(language);
    this.editor.replace(text);
    this.problems.checkNow();
    focusWhenHere(() => this.editor.focus());
  }

  private setLanguage(language: QueryLanguage): void {
    if (language === this.editor.language) return;
    this.editor.setLanguage(language);
    this.options.keep({ language });
    if (!this.hasResult) this.showExamples();
    this.showFacts();
    this.problems.checkNow();
  }

  private textChanged(): void {
    this.notice.clear();
    this.options.keep({ texts: this.editor.texts });
    this.parameters.textChanged();
    this.problems.textChanged();
  }

  private runAll(): void {
    void this.ask({ text: this.editor.text, offset: 0 });
  }

  private runSelection(): void {
    const { selection } = this.editor;
    if (selection) void this.ask(selection);
    else this.notice.tell(this.options.context.strings.states.nothingSelected);
  }

  private async ask({ text, offset }: EditorPart): Promise<void> {
    const { host, strings } = this.options.context;
    const { language } = this.editor;
    this.notice.clear();
    const obstacle = this.problem ?? (text.trim() === '' ? strings.states.nothingToRun : undefined);
    if (obstacle !== undefined) {
      this.notice.tell(obstacle);
      return;
    }
    this.run.begin({ language, whole: this.editor.text, offset });
    const recent = this.recent && language === 'mql';
    const { values: parameters } = this.parameters;
    try {
      const asked = { language, text, recent, parameters };
      await host.request('runQuery', asked);
    } catch (error) {
      this.failed(error);
      if (error instanceof HostError && error.kind === 'invalid') this.parameters.focusMissing();
    }
  }

  private cancel(): void {
    const { running } = this.run;
    if (running !== undefined) this.options.context.host.send('cancelResult', { result: running });
  }

  private setRecent(recent: boolean): void {
    if (this.editor.language === 'sql') {
      this.notice.tell(this.options.context.strings.tools.recentInSql);
      return;
    }
    this.recent = recent;
    this.options.keep({ recent });
    this.showFacts();
  }

  private async insertId(): Promise<void> {
    try {
      const { value } = await this.options.context.host.request('pickId', undefined);
      if (value !== undefined) this.editor.insertId(value);
      focusWhenHere(() => this.editor.focus());
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof HostError && error.kind === 'cancelled') return;
    this.notice.failed(error);
  }

  private showExamples(): void {
    const { language } = this.editor;
    const textOf = (example: QueryExample): string =>
      exampleQuery(example, { language, now: Date.now() });
    const use = (example: QueryExample): void => this.put(language, textOf(example));
    const empty = new EmptyState(this.options.context.strings.empty, { use, textOf });
    this.bottom.replaceChildren(empty.element);
  }

  private showFacts(): void {
    this.tools.show({
      ...{ language: this.editor.language, recent: this.recent, problem: this.problem },
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
    return new QueryTools(context.strings, organization, {
      setLanguage: (language) => this.setLanguage(language),
      run: () => this.runAll(),
      runSelection: () => this.runSelection(),
      cancel: () => this.cancel(),
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
      ...{ strings: context.strings, language: begin.language, texts: begin.texts },
      actions: {
        complete: (at, signal) => {
          const { language } = this.editor;
          return context.host.request('completeQuery', { language, ...at }, signal);
        },
        hover: async (at) => {
          const { language } = this.editor;
          return (await context.host.request('hoverQuery', { language, ...at })).hover;
        },
        run: () => this.runAll(),
        runSelection: () => this.runSelection(),
        cancel: () => this.cancel(),
        mend: (offset) => this.problems.focusFix(offset),
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
        this.runAll();
      },
      closed: () => {
        this.showFacts();
        this.tools.history.focus();
      },
      failed: (error) => this.failed(error),
    });
  }

  private place(root: HTMLElement): void {
    const { context, kept } = this.options;
    const { parameters, editor, problems, history, bottom } = this;
    const placed = {
      head: [this.tools.element, this.trouble.element, this.notice.element],
      top: [parameters.element, editor.element, problems.element],
      ...{ bottom, side: history.element },
    };
    panelLayout(root, placed, { label: context.strings.splitter, kept });
    panelKeys(root, {
      run: () => this.runAll(),
      runSelection: () => this.runSelection(),
      cancel: () => this.cancel(),
    });
  }
}
