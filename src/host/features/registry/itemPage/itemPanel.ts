import * as vscode from 'vscode';
import { describeReadOnly } from '../../../../core/api/readOnly';
import type { Clock } from '../../../../base/clock';
import { Disposable } from '../../../../base/disposable';
import { FleetError } from '../../../../core/api/errors';
import { displayName, toDisplayText } from '../../../../core/model/displayText';
import { hasRight } from '../../../../core/model/permissions';
import type { RegistryItem } from '../../../../core/model/registryItem';
import { registryItemTarget, type RegistryItemTarget } from '../../../../core/model/resourceTarget';
import type { Logger } from '../../../../core/ports';
import { openableLink, secureLink } from '../../../../shared/openableLink';
import {
  type PageFact,
  registryItemProtocol,
  type RegistryItemProtocol,
} from '../../../../shared/registryItem';
import type { HostHandlers } from '../../../../shared/protocol';
import type { FleetTools } from '../../../platform/fleetTools';
import { formatBytes } from '../../../platform/text/displayText';
import { createRecoveryHandlers } from '../../../platform/webview/recoveryActions';
import { WebviewDispatcher } from '../../../platform/webview/webviewDispatcher';
import type { PanelContent } from '../../../platform/webview/webviewPanels';
import { ItemSession, type OwnedItem } from './itemSession';
import { loadModelMetrics } from './loadModelMetrics';
import { type ItemLabels, pageItem, versionFiles } from './pageItem';
import { describePanel } from './panelDescription';
import {
  formatModelFramework,
  formatModelTask,
  formatRegistryType,
  formatUsers,
  formatVisibility,
} from '../../../platform/text/registryText';

/** Maximum number of characters in a tab title. */
const MAX_TITLE_LENGTH = 60;

export interface ItemPanelOptions extends FleetTools {
  readonly clock: Clock;
  readonly presentError: (error: unknown) => void;
  readonly log: Logger;
}

/** Registry item of a panel. */
export interface ItemPanelStart {
  readonly target: RegistryItemTarget;
  /**
   * Version whose metrics the page must show when it has loaded. If undefined, the page shows the
   * previously selected version.
   */
  readonly version?: string | undefined;
}

/** Webview panel with a registry item's page, which can belong to any organization. */
export class ItemPanel extends Disposable implements PanelContent<ItemPanelStart> {
  private readonly target: RegistryItemTarget;
  private requestedVersion: string | undefined;
  private readonly session: ItemSession;
  private readonly dispatcher: WebviewDispatcher<RegistryItemProtocol>;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    { target, version }: ItemPanelStart,
    private readonly options: ItemPanelOptions,
  ) {
    super();
    this.target = target;
    this.requestedVersion = version;
    const { sessions, presentError, log } = options;
    const deletedMessage = (): string =>
      vscode.l10n.t(
        "The registry item {0} no longer exists, or your API key doesn't have permission to view it.",
        toDisplayText(target.itemId),
      );
    this.session = this.register(
      new ItemSession(target, { sessions, clock: options.clock, deletedMessage }),
    );
    const handlers = this.handlers();
    this.dispatcher = this.register(
      new WebviewDispatcher(registryItemProtocol, panel.webview, handlers, presentError, log),
    );
    this.register(this.session.onDidChange(() => this.dispatcher.notify('changed', undefined)));
    this.register(panel.onDidChangeViewState(() => this.refreshIfVisible()));
    this.register(vscode.window.onDidChangeWindowState(() => this.refreshIfVisible()));
    panel.title = formatTitle({ name: target.name, id: target.itemId });
  }

  get start(): ItemPanelStart {
    return { target: this.target, version: this.requestedVersion };
  }

  shows({ target: { connectionId, itemId } }: ItemPanelStart): boolean {
    return this.target.connectionId === connectionId && this.target.itemId === itemId;
  }

  reveal(): void {
    this.panel.reveal();
    this.refreshIfVisible();
  }

  select({ version }: ItemPanelStart): void {
    // When a hidden page is shown, it reloads and requests this version.
    this.requestedVersion = version;
    if (version !== undefined) {
      this.dispatcher.notify('chosen', { version: toDisplayText(version) });
    }
  }

  /**
   * Reloads an outdated item if the page is visible. A hidden page reloads the item when it is
   * shown.
   */
  private refreshIfVisible(): void {
    if (this.panel.visible && vscode.window.state.focused) this.session.refreshIfOld();
  }

  private handlers(): HostHandlers<RegistryItemProtocol> {
    const { session, target } = this;
    const { commands } = this.options;
    return {
      ready: () =>
        Promise.resolve({
          locale: vscode.env.language,
          panel: describePanel(target),
          ...(this.requestedVersion !== undefined && {
            version: toDisplayText(this.requestedVersion),
          }),
        }),
      load: async ({ fresh }, signal) => {
        const read = await session.load(fresh, signal);
        this.panel.title = formatTitle(read.item);
        const { readAt } = read;
        const connection = this.options.sessions.connection(target.connectionId);
        const readOnly = connection?.readOnly && describeReadOnly(connection, vscode.l10n);
        const item = pageItem(read, getItemLabels(), await this.canUpload(read.item), readOnly);
        return { item, readAt, isOld: session.isOld };
      },
      readFiles: async (_, signal) => versionFiles(await session.files(signal), formatBytes),
      loadMetrics: async ({ version }, signal) => {
        this.requestedVersion = undefined;
        const named =
          version === undefined ? this.item.versions[0]?.version : this.versionNamed(version);
        const { registry, info } = await session.archive(named ?? '', signal);
        return loadModelMetrics(registry, info, signal);
      },
      focused: () => session.refreshIfOld(),
      copyId: () => vscode.env.clipboard.writeText(this.item.id),
      openUrl: () => this.open(secureLink(this.item.url)),
      openLink: ({ url }) => this.open(openableLink(url)),
      openText: ({ model }) => this.openText(model),
      deploy: ({ version }) =>
        commands.execute(
          this.item.type === 'mlModel' ? 'fleetwright.model.deploy' : 'fleetwright.module.deploy',
          registryItemTarget(target.connectionId, this.item),
          version === undefined ? undefined : this.versionNamed(version),
        ),
      upload: () =>
        commands.execute(
          this.item.type === 'module'
            ? 'fleetwright.module.uploadBuild'
            : 'fleetwright.trainingScript.upload',
          registryItemTarget(target.connectionId, this.item),
        ),
      download: ({ version }) =>
        commands.execute(
          'fleetwright.registryVersion.download',
          registryItemTarget(target.connectionId, this.item),
          this.versionNamed(version),
        ),
      ...createRecoveryHandlers(commands, () => this.dispatcher.notify('changed', undefined)),
    };
  }

  /**
   * Item that the page shows. The host uses this item to handle the page's requests, so the page
   * can't forge data.
   */
  private get item(): RegistryItem {
    const { current } = this.session;
    if (current) return current;
    throw new FleetError('conflict', vscode.l10n.t('The registry item is loading. Try again.'));
  }

  /** Checks the permission only for an item without versions, whose page offers to upload one. */
  private async canUpload(item: RegistryItem): Promise<boolean> {
    if (item.versions.length > 0) return false;
    const { connectionId } = this.target;
    const { access } = this.options.sessions.stores(connectionId);
    const granted = await access.getPermissionsFor(registryItemTarget(connectionId, item));
    return hasRight('registryItem', granted, 'administer');
  }

  private versionNamed(text: string): string {
    const found = this.item.versions.find(({ version }) => toDisplayText(version) === text);
    if (found) return found.version;
    throw new FleetError(
      'notFound',
      vscode.l10n.t('The version {0} no longer exists.', toDisplayText(text)),
    );
  }

  /** Opens a link. VS Code prompts before it opens an untrusted site. */
  private async open(address: string | undefined): Promise<void> {
    if (address === undefined) {
      throw new FleetError(
        'invalid',
        vscode.l10n.t('This link was not opened because it is not safe.'),
      );
    }
    // VS Code preserves the escaping of a URL only if the URL is passed as a string, but doesn't
    // open mail links from strings.
    if (address.startsWith('mailto:')) {
      await vscode.env.openExternal(vscode.Uri.parse(address, true));
    } else {
      await vscode.commands.executeCommand('vscode.open', address);
    }
  }

  private async openText(model: string | undefined): Promise<void> {
    const { item } = this;
    const of =
      model === undefined ? item : item.models.find((one) => toDisplayText(one.model) === model);
    const content = of?.markdown ?? '';
    const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
    await vscode.window.showTextDocument(document);
  }
}

/** Formats the tab title, truncated so that it leaves room for other tabs. */
function formatTitle(item: Pick<RegistryItem, 'name' | 'id'>): string {
  return toDisplayText(displayName(item), MAX_TITLE_LENGTH);
}

/** Returns the localized strings for describing items. */
function getItemLabels(): ItemLabels {
  return { badges, facts };
}

function badges({ type, visibility, isDraft }: RegistryItem): readonly string[] {
  const draft = isDraft === true ? [vscode.l10n.t('draft')] : [];
  return [formatRegistryType(type), formatVisibility(visibility), ...draft].filter(
    (word) => word !== '',
  );
}

function facts({ item, owner }: OwnedItem): readonly PageFact[] {
  const { id, namespace, organizationId, entrypoint, firstRun = '', url, updatedAt } = item;
  const newest = item.versions[0]?.version ?? '';
  const apps = (item.apps ?? []).map(({ name }) => name).join(', ');
  const updated = updatedAt?.toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  return [
    code(vscode.l10n.t('ID'), id),
    toPlainFact(vscode.l10n.t('Organization'), owner ?? ''),
    code(vscode.l10n.t('Namespace'), namespace),
    code(vscode.l10n.t('Organization ID'), owner === undefined ? organizationId : ''),
    code(vscode.l10n.t('Latest version'), newest),
    toPlainFact(vscode.l10n.t('Used by'), formatUsers(item)),
    ...modelFacts(item),
    code(vscode.l10n.t('Entrypoint'), entrypoint),
    code(vscode.l10n.t('First run'), firstRun),
    toPlainFact(vscode.l10n.t('Apps'), apps),
    toPlainFact(vscode.l10n.t('Website'), url),
    toPlainFact(vscode.l10n.t('Changed'), updated ?? ''),
  ];
}

function modelFacts({ modelKind }: RegistryItem): readonly PageFact[] {
  if (!modelKind) return [];
  const { task, framework } = modelKind;
  return [
    toPlainFact(vscode.l10n.t('Task'), formatModelTask(task)),
    toPlainFact(vscode.l10n.t('Framework'), formatModelFramework(framework)),
  ];
}

function toPlainFact(name: string, value: string): PageFact {
  return { name, value: toDisplayText(value), isCode: false };
}

function code(name: string, value: string): PageFact {
  return { ...toPlainFact(name, value), isCode: true };
}
