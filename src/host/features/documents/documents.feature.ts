import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { FleetError } from '../../../core/api/errors';
import { createConfigSource } from '../../../core/documents/documentSources';
import {
  BaseArchive,
  ReviewRequiredError,
  type Snapshot,
} from '../../../core/documents/configSource';
import { DocumentFiles } from '../../../core/documents/documentFiles';
import { configAddress, metadataAddress } from '../../../core/documents/documentResource';
import { findMainPart } from '../../../core/stores/findMachines';
import type { MetadataKind } from '../../../core/stores/metadataStore';
import type { Clock, KeyValue } from '../../../core/ports';
import { schemes, settings } from '../../../manifest/contributions';
import type { Commands } from '../../platform/commands/commandRegistry';
import type { AgentProposals } from '../../platform/documents/agentProposals';
import type { SessionProvider } from '../../platform/sessionProvider';
import { readSetting } from '../../platform/settingsReader';
import type { PickTarget } from '../../platform/prompts/targetPicker';
import {
  type ConflictActions,
  ConflictCommands,
  ConflictNumbers,
  ConflictQuickFixProvider,
} from './conflictCommands';
import { DocumentAccess, FleetFileSystem, type StartReview } from './fleetFileSystem';
import { DocumentOpener } from './documentOpener';
import type { RevisionActions } from './revisionActions';
import { DocumentProblems, SaveFailures } from './saveFailures';
import { DocumentStatus } from './documentStatus';
import { EditorTracker } from './editorTracker';
import { MergePreviews, RevisionContent } from './revisionContent';
import { connectionBadges } from '../../../core/model/connection';
import { toDisplayText } from '../../../core/model/displayText';
import {
  parseDocumentAddress,
  parseResolvedAddress,
  parseRevisionAddress,
} from '../../platform/documents/documentUris';

export interface DocumentsOptions {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  /** This workspace's state, which survives window reloads. */
  readonly storage: KeyValue;
  readonly clock: Clock;
  readonly pickTarget: PickTarget;
  readonly proposals: AgentProposals;
}

/**
 * Feature for configs and metadata as JSON documents. Opens, saves, compares, and restores them,
 * and resolves conflicts.
 */
export class DocumentsFeature extends Disposable {
  private readonly opener: DocumentOpener;
  private readonly content: RevisionContent;

  constructor(private readonly options: DocumentsOptions) {
    super();
    const { commands, sessions, clock, storage } = options;
    const numbers = new ConflictNumbers();
    const previews = new MergePreviews();
    const files = this.register(
      new DocumentFiles(
        ({ connectionId, subject }) =>
          createConfigSource(sessions.lastingStores(connectionId), subject),
        new BaseArchive(storage),
        clock,
        vscode.l10n,
      ),
    );
    this.opener = new DocumentOpener(sessions, files);
    this.content = this.register(new RevisionContent(sessions, previews));
    const problems = this.register(new DocumentProblems());
    const failures = new SaveFailures(sessions, problems, numbers);
    const access = this.register(new DocumentAccess(sessions));
    const fileSystem = this.register(
      new FleetFileSystem(files, failures, access, this.reviewSaves()),
    );
    this.register(
      vscode.workspace.registerFileSystemProvider(schemes.document, fileSystem, {
        isCaseSensitive: true,
      }),
    );
    this.register(
      vscode.workspace.registerTextDocumentContentProvider(schemes.revision, this.content),
    );
    this.register(
      vscode.languages.registerCodeActionsProvider(
        { scheme: schemes.document },
        new ConflictQuickFixProvider(),
      ),
    );
    this.register(new EditorTracker(files, clock));
    this.register(new ConnectionDecorationProvider(sessions));
    this.register(new DocumentStatus(files, sessions, previews, access));
    this.register(new ConfigProgressStarter(sessions, clock));
    let actions: Promise<ConflictActions> | undefined;
    const loadActions = () => (actions ??= this.loadConflictActions(previews));
    this.register(new ConflictCommands(commands, this.opener, numbers, loadActions));
    this.registerOpening();
    this.registerRevisions();
  }

  /** Loads the code that resolves conflicts, which few windows need. */
  private async loadConflictActions(previews: MergePreviews): Promise<ConflictActions> {
    const [{ ConflictResolver }, { MergeReview }] = await Promise.all([
      import('./conflictResolver'),
      import('./mergeReview'),
    ]);
    return {
      resolver: new ConflictResolver(this.options.sessions, this.content),
      review: new MergeReview(this.content, previews, (uri) => this.opener.find(uri)),
    };
  }

  /**
   * Returns the review of saves from editors. Saves that a program makes without an editor aren't
   * reviewed. VS Code sometimes saves an editor without a reason, for example when the window closes
   * and for "Save without Formatting". Such a save is treated like Auto Save, because a question
   * might not be answered. The code is loaded with the first save.
   */
  private reviewSaves(): StartReview {
    const { sessions, proposals } = this.options;
    const reasons = new Map<string, vscode.TextDocumentSaveReason>();
    this.register(
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (parseDocumentAddress(uri)) reasons.set(uri.toString(), reason);
      }),
    );
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (contentChanges.length === 0 && !document.isDirty) void proposals.undo(document.uri);
        else if (reason !== undefined) void proposals.restore(document.uri);
      }),
    );
    this.register(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (!document.isDirty) void proposals.remove(document.uri);
      }),
    );
    const review = async (
      uri: vscode.Uri,
      reason: vscode.TextDocumentSaveReason | undefined,
      text: string,
      saved: Snapshot,
    ): Promise<void> => {
      const preview = readSetting(settings.savePreview);
      const address = parseDocumentAddress(uri);
      const type = address?.subject.type;
      const isConfig = type === 'partConfig' || type === 'fragmentConfig';
      if (!address || !isConfig) return;
      const isFromEditor = vscode.workspace.textDocuments.some(
        (document) => document.uri.toString() === uri.toString() && document.getText() === text,
      );
      if (reason === undefined && !isFromEditor) return;
      const isAutoSave = reason !== vscode.TextDocumentSaveReason.Manual;
      if (isAutoSave && proposals.has(uri)) {
        throw new ReviewRequiredError(vscode.l10n.t('An agent proposed the changes.'));
      }
      if (preview !== 'never') {
        const { reviewSave } = await import('./saveReview');
        await reviewSave(sessions, { uri, address, saved, text, isAutoSave }, preview);
      }
      if (!isAutoSave) await proposals.remove(uri);
    };
    return (uri) => {
      // A reason must not outlive its save, even if the save needs no review.
      const reason = reasons.get(uri.toString());
      reasons.delete(uri.toString());
      return (text, saved) => review(uri, reason, text, saved);
    };
  }

  private registerOpening(): void {
    const { commands, pickTarget, sessions } = this.options;
    const { opener } = this;
    this.register(
      commands.register('fleetwright.machine.openConfig', async (target) => {
        const machine = target ?? (await pickTarget('machine'));
        const part = await findMainPart(sessions.stores(machine.connectionId), machine);
        if (!part) {
          const message = vscode.l10n.t('The machine "{0}" has no parts.', machine.name);
          throw new FleetError('notFound', message);
        }
        await opener.show(configAddress(part));
      }),
    );
    this.register(
      commands.register('fleetwright.part.openConfig', async (target) => {
        await opener.show(configAddress(target ?? (await pickTarget('part'))));
      }),
    );
    this.register(
      commands.register('fleetwright.fragment.openConfig', async (target) => {
        await opener.show(configAddress(target ?? (await pickTarget('fragment'))));
      }),
    );
    this.registerMetadata('organization');
    this.registerMetadata('location');
    this.registerMetadata('machine');
    this.registerMetadata('part');
  }

  private registerMetadata(kind: MetadataKind): void {
    const { commands, pickTarget } = this.options;
    this.register(
      commands.register(`fleetwright.${kind}.openMetadata`, async (...[target]) => {
        await this.opener.show(metadataAddress(target ?? (await pickTarget(kind))));
      }),
    );
  }

  private registerRevisions(): void {
    const { commands, sessions } = this.options;
    const openRevisions = async (): Promise<RevisionActions> => {
      const { RevisionActions } = await import('./revisionActions');
      return new RevisionActions(sessions, this.opener, this.content);
    };
    this.register(
      commands.register('fleetwright.document.compareRevisions', async (document, older, newer) =>
        (await openRevisions()).compare(document, older, newer),
      ),
    );
    this.register(
      commands.register('fleetwright.document.restore', async (document, revision) =>
        (await openRevisions()).restore(document, revision),
      ),
    );
  }
}

/** Starts to show the progress of configs. The code is loaded with the first config of a part. */
class ConfigProgressStarter extends Disposable {
  private isStarted = false;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly clock: Clock,
  ) {
    super();
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.start()));
    this.start();
  }

  private start(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const type = uri && parseDocumentAddress(uri)?.subject.type;
    if (this.isStarted || type !== 'partConfig') return;
    this.isStarted = true;
    void import('./configProgress').then(({ ConfigProgress }) => {
      if (!this.isDisposed) this.register(new ConfigProgress(this.sessions, this.clock));
    });
  }
}

/**
 * Marks document tabs with their connection if there is more than one connection, because documents
 * of different connections can have the same names.
 */
export class ConnectionDecorationProvider
  extends Disposable
  implements vscode.FileDecorationProvider
{
  private readonly changed = this.register(new vscode.EventEmitter<undefined>());
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(
    private readonly sessions: Pick<SessionProvider, 'connections' | 'onDidChangeConnections'>,
  ) {
    super();
    this.register(sessions.onDidChangeConnections(() => this.changed.fire(undefined)));
    this.register(vscode.window.registerFileDecorationProvider(this));
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const { connections } = this.sessions;
    const address =
      parseDocumentAddress(uri) ?? parseRevisionAddress(uri)?.address ?? parseResolvedAddress(uri);
    const connection = connections.find(({ id }) => id === address?.connectionId);
    if (!connection) return undefined;
    const badge = connectionBadges(connections).get(connection.id);
    return badge === undefined
      ? undefined
      : new vscode.FileDecoration(badge, toDisplayText(connection.label));
  }
}
