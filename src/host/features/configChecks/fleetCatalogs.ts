import * as vscode from 'vscode';
import { Disposable } from '../../../base/disposable';
import { Emitter, filterEvent } from '../../../base/emitter';
import { FleetCatalog, type PauseReason } from '../../../core/configChecks/fleetCatalog';
import type { DocumentAddress } from '../../../core/documents/documentAddress';
import type { ConnectionId } from '../../../core/model/ids';
import type { CommandId } from '../../../manifest/commands';
import { isPartAddress, parseDocumentAddress } from '../../platform/documents/documentUris';
import type { SessionProvider } from '../../platform/sessionProvider';

const SIGN_IN: CommandId = 'fleetwright.connection.signIn';

/** Places the item to the left of the document name. */
const PRIORITY = 111;

/** Returns the address of a part's or fragment's config; undefined for any other document. */
export function parseConfigAddress({ uri }: vscode.TextDocument): DocumentAddress | undefined {
  const address = parseDocumentAddress(uri);
  const isConfig =
    address?.subject.type === 'fragmentConfig' || (address && isPartAddress(address));
  return isConfig ? address : undefined;
}

/** Fragments and modules of the fleets to which the open configs belong. */
export class FleetCatalogs extends Disposable {
  private readonly catalogs = new Map<ConnectionId, FleetCatalog>();
  private readonly changed = this.register(new Emitter<ConnectionId>());
  /** Fires when the fragments, modules, or parts in a connection change. */
  readonly onDidChange = this.changed.event;
  private readonly item = this.register(
    vscode.window.createStatusBarItem(
      'fleetwright.configChecks',
      vscode.StatusBarAlignment.Right,
      PRIORITY,
    ),
  );

  constructor(private readonly sessions: SessionProvider) {
    super();
    this.item.name = vscode.l10n.t('Fleetwright Config Checks');
    this.item.text = `$(debug-pause) ${vscode.l10n.t('Fleet checks paused')}`;
    const { window, workspace } = vscode;
    this.register(
      window.onDidChangeActiveTextEditor((editor) => {
        this.update();
        this.refresh(editor?.document);
      }),
    );
    this.register(
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.refresh(window.activeTextEditor?.document);
      }),
    );
    this.register(workspace.onDidSaveTextDocument((document) => this.refresh(document)));
  }

  /** Returns the catalog and the address for a config; undefined for any other document. */
  find(
    document: vscode.TextDocument,
  ): (DocumentAddress & { readonly catalog: FleetCatalog }) | undefined {
    const address = parseConfigAddress(document);
    return address && { ...address, catalog: this.get(address.connectionId) };
  }

  /** Returns a connection's catalog. */
  get(id: ConnectionId): FleetCatalog {
    const known = this.catalogs.get(id);
    if (known) return known;
    const stores = this.sessions.lastingStores(id);
    const onDidRecover = filterEvent(this.sessions.onDidRecover, (other) => other === id);
    const catalog = this.register(new FleetCatalog(stores, onDidRecover));
    this.register(catalog.onDidChange(() => this.changed.fire(id)));
    this.register(catalog.onDidChangePause(() => this.update()));
    this.catalogs.set(id, catalog);
    return catalog;
  }

  /** Finds the changes that other users have made to the fragments of a config's organization. */
  private refresh(document: vscode.TextDocument | undefined): void {
    const fleet = document && this.find(document);
    if (fleet) void fleet.catalog.refreshFragments(fleet.subject);
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    const address = document && parseConfigAddress(document);
    const pause = address && this.catalogs.get(address.connectionId)?.pause;
    if (!pause) {
      this.item.hide();
      return;
    }
    this.item.tooltip = describePause(pause);
    this.item.command = pause === 'signedOut' ? SIGN_IN : undefined;
    this.item.show();
  }
}

function describePause(reason: PauseReason): string {
  switch (reason) {
    case 'unreachable':
      return vscode.l10n.t(
        "The service can't be reached, so the fragments and modules of this config aren't checked. The checks resume when the service responds.",
      );
    case 'signedOut':
      return vscode.l10n.t(
        "You are signed out, so the fragments and modules of this config aren't checked. Click to sign in.",
      );
  }
}
