import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { describeReadOnly } from '../../../core/api/readOnly';
import { displayName } from '../../../core/model/displayText';
import { targetId } from '../../../core/model/resourceTarget';
import type { Clock, KeyValue, Logger, Sleep } from '../../../core/ports';
import { webviews } from '../../../manifest/contributions';
import { type DataProtocol, dataProtocol } from '../../../shared/data/dataProtocol';
import type { DataTab, panelMessages } from '../../../shared/data/dataPanel';
import type { BulkReports } from '../../platform/commands/bulkReports';
import { fillWebview, type PanelContent } from '../../platform/webview/webviewPanels';
import type { FleetTools } from '../../platform/fleetTools';
import type { FindUploads, OfferUpload } from '../../platform/featureInterfaces';
import { WebviewDispatcher } from '../../platform/webview/webviewDispatcher';
import { ItemActions } from './actions/itemActions';
import { BoxSession } from './boxes/boxSession';
import { ChangeWatch, countTabs } from './changeWatch';
import {
  type DataView,
  type DescribedPanel,
  describePanel,
  filterFor,
  isSameTarget,
  type PanelStart,
} from './panelDescription';
import { type Applied, DataSession } from './dataSession';
import { DropSession } from './drops/dropSession';
import { filterHandlers } from './filter/filterHandlers';
import type { SavedFilters } from './filter/savedFilters';
import { contentUri } from './items/contentFileSystem';
import { ItemSession } from './items/itemSession';
import { TargetNameTracker } from './targetNameTracker';
import { readingHandlers } from './readingHandlers';
import { ProposalSession } from './trials/proposalSession';
import type { SuspendedReviews } from './trials/suspendedReviews';
import { TrialSession } from './trials/trialSession';
import type { BoxProblem } from '../../../core/data/boxes/trackedBox';
import { hasRight } from '../../../core/model/permissions';
import type { DataFilter } from '../../../shared/data/dataFilter';
import type { HostHandlers } from '../../../shared/protocol';
import type { Commands } from '../../platform/commands/commandRegistry';
import { createRecoveryHandlers } from '../../platform/webview/recoveryActions';

export interface DataPanelOptions extends FleetTools {
  readonly extensionUri: vscode.Uri;
  readonly presentError: (error: unknown) => void;
  readonly clock: Clock;
  readonly reports: BulkReports;
  readonly sleep: Sleep;
  /** Storage for unfinished work. */
  readonly storage: KeyValue;
  readonly savedFilters: SavedFilters;
  readonly offerUpload: OfferUpload;
  readonly findUploads: FindUploads;
  readonly log: Logger;
  readonly suspended: SuspendedReviews;
}

/** Webview panel with a resource's captured data. */
export class DataPanel extends Disposable implements PanelContent<PanelStart> {
  readonly session: DataSession;
  private readonly dispatcher: WebviewDispatcher<DataProtocol>;
  private readonly targetNames: TargetNameTracker;
  private readonly drops: DropSession;
  private readonly changes: ChangeWatch;
  private readonly proposals: ProposalSession;
  private tab: DataTab;
  /** Last permission sent to the page, for detecting changes. */
  private sentCanWrite: boolean | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly opened: PanelStart,
    private readonly options: DataPanelOptions,
  ) {
    super();
    const { target, filter, tab } = opened;
    this.tab = tab;
    const { presentError, log } = options;
    const session = new DataSession(target.connectionId, filter, options);
    this.session = this.register(session);
    const boxes = this.register(this.annotating());
    const trials = this.trying();
    this.proposals = this.proposing(trials);
    this.drops = this.dropping();
    this.changes = this.register(
      new ChangeWatch(session, {
        outdated: (outdated) => this.dispatcher.notify('outdated', outdated),
        recounted: (count) => this.dispatcher.notify('recounted', count),
      }),
    );
    // VS Code unloads the page of a hidden panel.
    this.register(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.drops.onPageClosed();
      }),
    );
    const handlers = {
      ...this.frameHandlers(),
      ...this.createItemSession().handlers(),
      ...boxes.handlers(),
      ...this.acting(this.proposals).handlers(),
      ...this.drops.handlers(),
      ...trials.handlers(),
      ...this.proposals.handlers(),
      ...readingHandlers({
        session: this.session,
        notifyRead: (progress) => this.dispatcher.notify('readingsRead', progress),
      }),
    };
    this.dispatcher = this.register(
      new WebviewDispatcher(dataProtocol, panel.webview, handlers, presentError, log),
    );
    this.subscribe();
    this.targetNames = this.register(
      new TargetNameTracker(session, target, {
        named: (name) => this.setName(name),
        filterNamed: (named) => this.dispatcher.notify('filterNamed', named),
        canWrite: (canWrite) => this.setCanWrite(canWrite),
      }),
    );
    this.setName(displayName({ ...target, id: targetId(target) }));
    // Loads data while the page starts. If this fails, the page's `begin` applies the filter again.
    session.apply().catch(() => undefined);
  }

  get start(): PanelStart {
    return { ...this.opened, filter: this.session.filter, tab: this.tab };
  }

  shows({ target }: DataView): boolean {
    return isSameTarget(this.opened.target, target);
  }

  /** Shows the panel. Does nothing if the panel was closed. */
  reveal(): void {
    if (!this.isDisposed) this.panel.reveal();
  }

  /** Shows another filter and tab. */
  async select({ filter, tab }: Pick<DataView, 'filter' | 'tab'>): Promise<void> {
    this.tab = tab;
    this.dispatcher.notify('tabOpened', { tab });
    await this.session.apply(filter);
  }

  /** Resumes a label review from a closed panel for the same target. */
  resumeReview(run: string): void {
    this.proposals.resume(run);
  }

  private acting(proposals: ProposalSession): ItemActions {
    const { session, options } = this;
    return this.register(
      new ItemActions({
        session,
        reports: options.reports,
        sleep: options.sleep,
        propose: (target) => proposals.propose(target),
        notifyUndoable: (text) => this.dispatcher.notify('undoable', { text }),
        focus: () => this.reveal(),
      }),
    );
  }

  private trying(): TrialSession {
    const { session, options } = this;
    const program = vscode.Uri.joinPath(options.extensionUri, 'dist', 'trainingProcess.js').fsPath;
    return this.register(new TrialSession({ session, program, focus: () => this.reveal() }));
  }

  private proposing(trials: TrialSession): ProposalSession {
    const { session, options } = this;
    return this.register(
      new ProposalSession({
        session,
        trials,
        reports: options.reports,
        suspended: options.suspended,
        panel: () => ({ ...this.start, tab: 'images' }),
        notifySuspended: (suspended) => this.dispatcher.notify('reviewSuspended', { suspended }),
        notify: (proposals) => this.dispatcher.notify('proposed', proposals),
        showImages: () => {
          this.tab = 'images';
          this.dispatcher.notify('tabOpened', { tab: 'images' });
        },
        focus: () => this.reveal(),
      }),
    );
  }

  private createItemSession(): ItemSession {
    const { session } = this;
    return this.register(
      new ItemSession({
        l10n: vscode.l10n,
        session,
        tab: () => this.tab,
        notifyStale: (generation) => this.dispatcher.notify('itemsStale', { generation }),
        notifyRead: (id, bytes) => this.dispatcher.notify('contentRead', { id, bytes }),
        openContent: async (item) => {
          await vscode.commands.executeCommand(
            'vscode.open',
            contentUri(session.connectionId, item),
          );
        },
        copyText: async (text) => vscode.env.clipboard.writeText(text),
      }),
    );
  }

  private dropping(): DropSession {
    const { session, options } = this;
    const { offerUpload, findUploads } = options;
    return this.register(
      new DropSession({
        session,
        offerUpload,
        findUploads,
        requestFile: (file) => this.dispatcher.notify('readDropped', file),
        release: (drop) => this.dispatcher.notify('dropReleased', { drop }),
      }),
    );
  }

  private annotating(): BoxSession {
    const { storage, sleep } = this.options;
    return new BoxSession({
      session: this.session,
      storage,
      sleep,
      l10n: vscode.l10n,
      notify: (image) => this.dispatcher.notify('boxesChanged', image),
      formatProblem: formatBoxProblem,
      notifyUnsaved: warnAboutUnsavedBoxes,
    });
  }

  private frameHandlers(): ReturnType<typeof panelHandlers> & ReturnType<typeof filterHandlers> {
    const { session, panel, opened, options } = this;
    const { target, owner } = opened;
    const { commands, pickTarget, savedFilters, sessions, extensionUri } = options;
    const script = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'pointCloud.js');
    const page = {
      session,
      target,
      owner,
      opened: filterFor(target, owner),
      commands,
      tab: () => this.tab,
      setTab: (tab: DataTab) => (this.tab = tab),
      pointCloudScript: panel.webview.asWebviewUri(script).toString(),
      title: () => panel.title,
      isUpToDate: () => session.isAtWork && !this.changes.isOutdated,
      resendFilter: () => {
        this.notifyApplied(session.current);
        this.targetNames.track(session.current);
        this.notifySilence();
      },
      describeReadOnly: () => {
        const connection = sessions.connection(target.connectionId);
        return connection?.readOnly && describeReadOnly(connection, vscode.l10n);
      },
      recordCanWrite: (canWrite: boolean) => (this.sentCanWrite = canWrite),
    };
    return {
      ...panelHandlers(page),
      ...filterHandlers({
        session,
        target,
        commands,
        pickTarget,
        savedFilters,
        tab: page.tab,
        open: (view) => this.select(view),
        serviceUrl: () => sessions.connection(target.connectionId)?.baseUrl,
      }),
    };
  }

  private subscribe(): void {
    const { session, dispatcher } = this;
    this.register(session.onDidApply((applied) => this.notifyApplied(applied)));
    this.register(
      session.onDidSignOut(() =>
        dispatcher.notify('problemChanged', {
          problem: vscode.l10n.t('You are signed out of the connection for this data.'),
          recovery: 'signIn',
        }),
      ),
    );
    this.register(
      this.options.sessions.onDidChangeSilence((id) => {
        if (id === session.connectionId) this.notifySilence();
      }),
    );
  }

  private notifyApplied({ generation, filter, browse }: Applied): void {
    const { dispatcher } = this;
    dispatcher.notify('problemChanged', {});
    dispatcher.notify('filterApplied', { generation, filter });
    void countTabs(generation, browse, (count) => dispatcher.notify('counted', count));
  }

  private notifySilence(): void {
    const isSilent = this.options.sessions.isSilent(this.session.connectionId);
    const text = isSilent
      ? vscode.l10n.t(
          "The service isn't responding. Saves and other requests continue when it responds again.",
        )
      : undefined;
    this.dispatcher.notify('silenceChanged', { text });
  }

  private setName(name: string): void {
    const { panel } = this;
    const title = vscode.l10n.t('Data: {0}', name);
    if (panel.title !== title) panel.title = title;
    this.dispatcher.notify('titled', { title });
  }

  private setCanWrite(canWrite: boolean): void {
    if (this.sentCanWrite === undefined || this.sentCanWrite === canWrite) return;
    // All parts of the page depend on the permission, so the page reloads with its saved state.
    this.sentCanWrite = canWrite;
    this.drops.onPageClosed();
    fillWebview(this.panel, this.options.extensionUri, webviews.data);
  }
}

/** Returns the reason that a box isn't saved as requested. */
export function formatBoxProblem(problem: BoxProblem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.error.message;
    case 'interrupted':
      return vscode.l10n.t('The window was closed before the change was complete.');
  }
}

/** Reports that a panel was closed with unsaved boxes. */
function warnAboutUnsavedBoxes(images: number): void {
  void vscode.window.showWarningMessage(
    images === 1
      ? vscode.l10n.t(
          'Not all boxes of an image could be saved. Open the image again to finish the remaining changes.',
        )
      : vscode.l10n.t(
          "Couldn't save some boxes in {0} images. Open the images again to save the remaining changes.",
          images,
        ),
  );
}

interface PanelPage extends DescribedPanel {
  readonly session: DataSession;
  /** Filter to restore when the user clears the filter. */
  readonly opened: DataFilter;
  readonly commands: Pick<Commands, 'execute'>;
  /** URI that the webview can load. */
  readonly pointCloudScript: string;
  readonly tab: () => DataTab;
  readonly setTab: (tab: DataTab) => void;
  readonly title: () => string;
  /** Describes why the connection is read-only; undefined if changes are allowed. */
  readonly describeReadOnly: () => string | undefined;
  /** Records the permission that was sent to the page. */
  readonly recordCanWrite: (canWrite: boolean) => void;
  /** Returns true if a filter is applied and nothing has changed since then. */
  readonly isUpToDate: () => boolean;
  /** Sends the already applied filter to the page. */
  readonly resendFilter: () => void;
}

/** Returns the handlers for messages about the panel as a whole. */
function panelHandlers(page: PanelPage): HostHandlers<typeof panelMessages> {
  const { session, target, owner, opened, commands, pointCloudScript } = page;
  const canWrite = async (): Promise<boolean> =>
    !session.isSignedIn ||
    hasRight(target.kind, await session.stores.access.getPermissionsFor(target), 'writeData');
  return {
    ready: async () => {
      const isWritable = await canWrite();
      page.recordCanWrite(isWritable);
      return {
        locale: vscode.env.language,
        panel: describePanel({ target, owner }),
        filter: session.filter,
        opened,
        tab: page.tab(),
        title: page.title(),
        canWrite: isWritable,
        readOnly: page.describeReadOnly(),
        pointCloudScript,
      };
    },
    begin: () => (page.isUpToDate() ? page.resendFilter() : session.apply()),
    setFilter: ({ filter }) => session.apply(filter),
    refresh: () => session.apply(),
    setTab: ({ tab }) => page.setTab(tab),
    ...createRecoveryHandlers(commands, () => session.apply()),
  };
}
