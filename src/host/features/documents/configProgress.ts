import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { addressKey, type DocumentAddress } from '../../../core/documents/documentAddress';
import { findDocumentTarget } from '../../../core/documents/documentResource';
import {
  type ConfigState,
  getConfigStage,
  isConfigPending,
} from '../../../core/model/contractExtensions';
import { toDisplayText } from '../../../core/model/displayText';
import type { PartId } from '../../../core/model/ids';
import { relativeTime } from '../../../core/model/presence';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { PartContact } from '../../../core/stores/partStore';
import { formatDuration } from '../../../shared/formatDuration';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import type { SessionProvider } from '../../platform/sessionProvider';

/** Places the item to the right of the item with the resource of the document. */
const PRIORITY = 109;
/** Polling interval while the machine has yet to fetch or apply the config. */
const PENDING_INTERVAL_MS = 5_000;
/** Polling interval otherwise, because other windows can save the config or its fragments. */
const IDLE_INTERVAL_MS = 60_000;
const MESSAGE_MS = 10_000;

/** Part whose config is the active document. */
interface ActivePart {
  readonly address: DocumentAddress;
  readonly id: PartId;
}

/**
 * Shows in the status bar whether the machine has fetched and applied the active document's config,
 * and shows a message after each save. Shows nothing if the service doesn't report this.
 */
export class ConfigProgress extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.configProgress',
      vscode.StatusBarAlignment.Right,
      PRIORITY,
    ),
  );
  private readonly followed = new Set<FleetStores>();
  private active: ActivePart | undefined;
  private polling: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Message about a config that the machine has yet to fetch. */
  private message: vscode.Disposable | undefined;

  constructor(
    private readonly sessions: SessionProvider,
    private readonly clock: Clock,
  ) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Config Progress');
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.register(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.poll();
      }),
    );
    this.register(sessions.onDidChangeConnections(() => this.update()));
    this.register(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.reportSave(toActivePart(uri))),
    );
    this.register({ dispose: () => this.stop() });
    this.update();
  }

  private update(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const active = uri && toActivePart(uri);
    const isSame = active && this.active && sameAddress(active, this.active);
    if (isSame) return;
    this.active = active;
    this.item.hide();
    this.stop();
    void this.poll();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.polling?.abort();
    this.polling = undefined;
  }

  /** Reads and shows the progress, and schedules the next poll. A hidden window doesn't poll. */
  private async poll(): Promise<void> {
    const { active } = this;
    this.stop();
    if (!active || this.isDisposed || !vscode.window.state.focused) return;
    const polling = (this.polling = new AbortController());
    const contact = await this.read(active, polling.signal);
    if (polling.signal.aborted) return;
    const state = contact?.configState;
    if (state) this.show(state);
    else this.item.hide();
    const interval = state && isConfigPending(state) ? PENDING_INTERVAL_MS : IDLE_INTERVAL_MS;
    this.timer = setTimeout(() => void this.poll(), interval);
  }

  /** Returns undefined if the service doesn't respond. The document shows that error. */
  private async read(
    { address, id }: ActivePart,
    signal?: AbortSignal,
  ): Promise<PartContact | undefined> {
    try {
      const stores = this.sessions.stores(address.connectionId);
      this.follow(stores);
      return await stores.parts.readContact(id, signal);
    } catch {
      return undefined;
    }
  }

  private follow(stores: FleetStores): void {
    if (this.followed.has(stores)) return;
    this.followed.add(stores);
    this.register(
      stores.parts.onDidChange(({ ids, all }) => {
        if (all || (this.active && ids.includes(this.active.id))) void this.poll();
      }),
    );
    this.register(stores.fragments.onDidChange(() => void this.poll()));
  }

  private show(state: ConfigState): void {
    const { icon, label, meaning } = describeStage(state);
    if (getConfigStage(state) !== 'saved') this.message?.dispose();
    this.item.text = `$(${icon}) ${label}`;
    this.item.tooltip = [meaning, ...this.formatTimes(state)].join('\n');
    this.item.accessibilityInformation = { label: `${label}. ${meaning}` };
    this.item.show();
  }

  private formatTimes({ fetched, applied }: ConfigState): readonly string[] {
    const ago = (at: Date): string => relativeTime(at, this.clock.now(), vscode.env.language);
    return [
      ...(fetched ? [vscode.l10n.t('Last fetched: {0}', ago(fetched.at))] : []),
      ...(applied ? [vscode.l10n.t('Applied: {0}', ago(applied.at))] : []),
    ];
  }

  private async reportSave(saved: ActivePart | undefined): Promise<void> {
    if (!saved) return;
    const contact = await this.read(saved);
    const state = contact?.configState;
    if (!state || getConfigStage(state) === 'applied' || this.isDisposed) return;
    const stores = this.sessions.stores(saved.address.connectionId);
    const target = await findDocumentTarget(stores, saved.address).catch(() => undefined);
    if (target?.kind !== 'part') return;
    const message = formatSaveMessage(toDisplayText(target.machineName), contact, state);
    this.message?.dispose();
    if (message !== '') this.message = vscode.window.setStatusBarMessage(message, MESSAGE_MS);
  }
}

function toActivePart(uri: vscode.Uri): ActivePart | undefined {
  const address = parseDocumentAddress(uri);
  if (address?.subject.type !== 'partConfig') return undefined;
  return { address, id: address.subject.id };
}

function sameAddress(left: ActivePart, right: ActivePart): boolean {
  return addressKey(left.address) === addressKey(right.address);
}

/**
 * Formats the message after a save; empty if the machine has already fetched the config.
 * @param name name of the machine
 */
export function formatSaveMessage(
  name: string,
  { status }: Pick<PartContact, 'status'>,
  state: ConfigState,
): string {
  const stage = getConfigStage(state);
  if (stage === 'neverFetched') {
    return vscode.l10n.t('Saved. {0} has never fetched a config.', name);
  }
  if (stage !== 'saved') return '';
  if (status === 'offline') {
    return vscode.l10n.t('Saved. {0} is offline and fetches the config when it reconnects.', name);
  }
  const { intervalMs = 0 } = state.fetched ?? {};
  if (intervalMs <= 0) return vscode.l10n.t('Saved. {0} runs the previous config.', name);
  return vscode.l10n.t(
    'Saved. {0} runs the previous config; it checks in every {1}.',
    name,
    formatDuration(intervalMs, vscode.env.language),
  );
}

/** Returns the icon, label, and meaning of a config's stage. */
export function describeStage(state: ConfigState): {
  readonly icon: string;
  readonly label: string;
  readonly meaning: string;
} {
  switch (getConfigStage(state)) {
    case 'neverFetched':
      return {
        icon: 'cloud',
        label: vscode.l10n.t('Config not fetched'),
        meaning: vscode.l10n.t('The machine has never fetched a config.'),
      };
    case 'saved':
      return {
        icon: 'cloud-upload',
        label: vscode.l10n.t('Config saved'),
        meaning: vscode.l10n.t(
          "The machine runs the previous config. It hasn't fetched the saved one yet.",
        ),
      };
    case 'fetched':
      return {
        icon: 'cloud-download',
        label: vscode.l10n.t('Config fetched'),
        meaning: state.applied
          ? vscode.l10n.t(
              "The machine has fetched the saved config but hasn't reported that it runs it.",
            )
          : vscode.l10n.t(
              "The machine has fetched the saved config. It doesn't report which config it runs.",
            ),
      };
    case 'applied':
      return {
        icon: 'check',
        label: vscode.l10n.t('Config applied'),
        meaning: vscode.l10n.t('The machine runs the saved config.'),
      };
  }
}
