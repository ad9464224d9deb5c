import * as l10n from '@vscode/l10n';
import type { ResultStatus, ShownResult } from '../../src/shared/query/results';
import { HostError } from '../messaging/hostConnection';
import { element, uniqueId } from '../ui/elements';
import type { CellViewer, CellTarget } from '../ui/table/cellViewer';
import { describeState, ResultStatusLine } from './resultStatusLine';
import { AmountFormatter } from './resultFormat';
import { Arrangement } from './arrangement';
import { ResultFilters } from './filter/resultFilters';
import { isOver, ResultState } from './resultState';
import { ResultTable } from './resultTable';
import { ResultChartView } from './resultChart';
import { getSavedMode, type ResultMode, ResultTools, saveMode } from './resultTools';
import { makeResultViewer, resultMenu } from './resultViewer';
import { ResultTree } from './tree/resultTree';
import type { ResultsContext } from './resultsContext';
import { RunHeader } from './runHeader';
import './runHeader.css';
import '../ui/controls.css';
import '../ui/virtualRows.css';
import '../ui/table/table.css';
import '../ui/chart/chart.css';
import './results.css';

/**
 * The result of a query as a table, a JSON tree, or a chart, with actions. A view shows one result
 * at a time, and a page can have multiple views. Messages about other results are ignored.
 */
export class ResultsView {
  readonly element = element('section', { class: 'results' });
  private readonly arrangement: Arrangement;
  private readonly amounts: AmountFormatter;
  private readonly tools: ResultTools;
  private readonly filters: ResultFilters;
  private readonly table: ResultTable;
  private readonly tree: ResultTree;
  private readonly chart: ResultChartView;
  private readonly viewer: CellViewer;
  private readonly state: ResultState;
  private readonly line: ResultStatusLine;
  private readonly header: RunHeader;
  private mode: ResultMode;
  private result: string | undefined;
  private status: ResultStatus | undefined;
  /** True if the loaded content can't be shown because of an error. */
  private isUnread = false;
  private isFailureListed = false;

  constructor(private readonly context: ResultsContext) {
    const { host, locale } = context;
    const id = uniqueId('result');
    this.element.setAttribute('aria-label', l10n.t('Result'));
    this.amounts = new AmountFormatter(locale);
    this.arrangement = new Arrangement(host, {
      onArranged: () => this.rearranged(),
      onGrown: () => this.grown(),
      onWork: () => this.showStatus(),
      onFailure: (error) => this.notArranged(error),
    });
    this.state = new ResultState({
      act: (action) => host.send('actOnProblem', { action }),
      editQuery: context.editQuery,
      clearFilters: () => this.clearFilters(),
      clearSearch: () => this.clearSearch(),
    });
    this.line = new ResultStatusLine({
      amounts: this.amounts,
      ...(!context.hasCancel && { cancel: () => this.cancel() }),
      reapply: () => this.arrangement.again(),
      actionButton: (action) => this.state.actionButton(action),
    });
    const failed = (error: unknown): void => this.failed(error);
    const shared = { context, arrangement: this.arrangement, amounts: this.amounts, failed };
    const copy = (viewed: CellTarget): void => this.copyViewed(viewed);
    this.viewer = makeResultViewer({
      ...shared,
      id: `${id}-viewer`,
      copy,
      closed: () => this.focus(),
      showTree: (rowIndex) => this.showTree(rowIndex),
    });
    this.table = new ResultTable({
      ...shared,
      id: `${id}-table`,
      copy,
      selectionChanged: () => this.showStatus(),
      columnsKnown: () => this.filters.columnsKnown(),
      filterBy: (name) => this.filters.open(name),
      isFiltered: (name) => this.filters.isFiltered(name),
      view: (viewed) => void this.viewer.show(viewed),
    });
    this.tree = new ResultTree({
      ...shared,
      id: `${id}-tree`,
      fetchRows: (start, end) => this.table.fetch(start, end),
      columnCount: () => this.table.columnCount,
      getColumnName: (column) => this.table.getColumnName(column),
      view: (rowIndex) => void this.viewer.show({ rowIndex }),
      copy: (rowIndex) => copy({ rowIndex }),
    });
    this.chart = new ResultChartView({ ...shared, id: `${id}-chart` });
    this.filters = new ResultFilters({
      id: `${id}-filter`,
      context,
      arrangement: this.arrangement,
      columns: () => this.table.allColumns,
      getKind: (name) => this.table.getKind(name),
      onChange: () => this.table.drawHeaders(),
      closed: () => this.focus(),
    });
    this.header = new RunHeader({
      locale,
      showSource: context.showSource,
    });
    this.tools = this.makeTools();
    this.mode = getSavedMode(context.viewStates);
    const area = element('div', { class: 'result-area' });
    area.append(this.table.element, this.tree.element, this.chart.element);
    area.append(this.state.element, this.viewer.element);
    const { header, tools, filters, line } = this;
    this.element.append(header.element, tools.element, filters.element, area, line.element);
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
    this.element.hidden = true;
    this.present();
  }

  private cancel(): void {
    const { result } = this;
    if (result !== undefined) this.context.host.send('cancelResult', { result });
  }

  /** Shows a new result; `changed` then reports its progress. */
  show({ result, origin }: ShownResult): void {
    this.result = result;
    this.status = undefined;
    delete this.element.dataset.state;
    this.isUnread = false;
    this.header.show(origin);
    this.element.hidden = false;
    this.arrangement.begin(result);
    this.table.begin();
    this.tree.rearranged();
    this.chart.rearranged();
    this.filters.begin();
    this.viewer.hide();
    this.line.clear();
    this.present();
  }

  /** Applies a progress update for a result. */
  changed(status: ResultStatus): void {
    if (status.result !== this.result) return;
    const before = this.status;
    this.status = status;
    this.element.dataset.state = status.state;
    this.arrangement.take(status);
    this.table.grow(status.columns);
    this.present();
    this.growChart(status);
    if (status.state !== before?.state) this.announce(status);
  }

  /**
   * Sets whether the page shows the reason for the query's failure elsewhere. If it does, the view
   * doesn't repeat the reason.
   */
  setFailureListed(listed: boolean): void {
    if (listed === this.isFailureListed) return;
    this.isFailureListed = listed;
    if (this.status?.state === 'failed') this.present();
  }

  focus(): void {
    if (this.mode === 'table') this.table.focus();
    else if (this.mode === 'tree') this.tree.focus();
    else this.chart.focus();
  }

  /** Stops pending operations. The view can't be used afterward. */
  dispose(): void {
    this.arrangement.stop();
    this.table.stop();
    this.tree.stop();
    this.chart.dispose();
    this.line.stop();
  }

  private setMode(mode: ResultMode): void {
    if (this.mode === 'chart' && mode !== 'chart') this.chart.stop();
    this.mode = mode;
    saveMode(this.context.viewStates, mode);
    this.viewer.hide();
    this.present();
  }

  /** Shows the result, or the reason why there is none. */
  private present(): void {
    const { mode } = this;
    this.tools.show(mode);
    const isShown = this.presentState();
    this.table.element.hidden = !isShown || mode !== 'table';
    this.tree.setShown(isShown && mode === 'tree');
    this.chart.element.hidden = !isShown || mode !== 'chart';
    if (isShown && mode === 'chart') this.chart.begin();
    this.showStatus();
  }

  /**
   * Shows the result's status.
   * @returns true if there are rows to show.
   */
  private presentState(): boolean {
    const { status, arrangement } = this;
    if (this.isUnread) return false;
    const { find = '', filters } = arrangement.view;
    const left = arrangement.hidesRows ? arrangement.count : (status?.rows ?? 0);
    const { isFailureListed } = this;
    const isFiltered = filters !== undefined;
    return this.state.present({ status, left, find, isFiltered, isFailureListed });
  }

  private showStatus(): void {
    const { status, arrangement, mode } = this;
    if (!status) return;
    const { count, among, isWorking, view, find } = arrangement;
    const sorted = isWorking ? undefined : view.sort;
    this.line.show({
      status,
      count,
      among,
      isWorking,
      hidesRows: arrangement.hidesRows,
      find: isWorking ? find : view.find,
      isFiltered: isWorking ? arrangement.isToFilter : view.filters !== undefined,
      sortedBy: sorted && this.table.getColumnName(sorted.column),
      selected: mode === 'table' ? this.table.selectedCount : 0,
      isFailureListed: this.isFailureListed,
    });
  }

  private rearranged(): void {
    const hadKeyboard = this.viewer.element.contains(document.activeElement);
    this.table.rearranged();
    this.tree.rearranged();
    this.chart.rearranged();
    this.viewer.hide();
    this.presentArranged();
    if (hadKeyboard) this.focus();
  }

  /**
   * Updates the content when rows have arrived. Preserves the scroll position unless loading
   * failed.
   */
  private grown(): void {
    const { status, isUnread } = this;
    if (!status || isUnread) {
      this.rearranged();
      return;
    }
    this.table.grow(status.columns);
    this.growChart(status);
    this.presentArranged();
  }

  private growChart(status: ResultStatus): void {
    this.chart.grow({ isOver: isOver(status), isWhole: status.state === 'complete' });
  }

  private presentArranged(): void {
    this.isUnread = false;
    this.present();
    if (this.status && this.arrangement.isArranged) this.context.announce(this.line.displayedText);
  }

  private clearFilters(): void {
    this.filters.clear();
    this.focus();
  }

  private clearSearch(): void {
    this.tools.clearFind();
    this.arrangement.setFind('');
    this.focus();
  }

  private notArranged(error: unknown): void {
    this.table.drawHeaders();
    this.failed(error);
  }

  private failed(error: unknown): void {
    // A newer request superseded this one.
    if (error instanceof HostError && error.kind === 'canceled') return;
    this.isUnread = true;
    this.state.showUnread(error, () => this.retry());
    this.present();
  }

  private retry(): void {
    this.isUnread = false;
    this.chart.rearranged();
    // Reapply the search text and the filters, which are still set.
    this.arrangement.setFind(this.tools.findText);
    this.filters.columnsKnown();
    this.present();
    this.table.retry();
    this.tree.retry();
  }

  private announce(status: ResultStatus): void {
    const text = this.arrangement.hidesRows
      ? this.line.displayedText
      : describeState(status, (value) => this.amounts.number(value));
    const waiting = status.state === 'waiting' ? l10n.t('Waiting for the first row…') : undefined;
    this.context.announce(text === '' ? (waiting ?? this.state.messageText) : text);
  }

  private keyPressed(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.tools.focusFind();
  }

  private showTree(rowIndex: number): void {
    this.setMode('tree');
    void this.tree.reveal(rowIndex);
  }

  private copyViewed({ rowIndex, column }: CellTarget): void {
    const ofColumn = column === undefined ? {} : { column };
    this.context.host.send('copyResultCell', {
      ...this.arrangement.view,
      rowIndex,
      ...ofColumn,
    });
  }

  private makeTools(): ResultTools {
    const { host } = this.context;
    return new ResultTools({
      setMode: (mode) => this.setMode(mode),
      find: (text) => this.arrangement.setFind(text),
      leaveFind: () => this.focus(),
      filter: () => this.filters.open(this.mode === 'table' ? this.table.cursorColumn : undefined),
      chooseColumns: () => this.table.chooseColumns(),
      exportAll: () =>
        this.result !== undefined && host.send('exportResult', this.arrangement.view),
      items: () =>
        resultMenu({
          arrangement: this.arrangement,
          table: this.table,
          isTableShown: this.mode === 'table',
        }),
    });
  }
}
