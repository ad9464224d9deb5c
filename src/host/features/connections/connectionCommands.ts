import * as vscode from 'vscode';
import type { OpenTransport } from '../../../core/api/connectionTransport';
import { FleetError } from '../../../core/api/errors';
import { requireWritable } from '../../../core/api/readOnly';
import type { ConnectionId } from '../../../core/model/ids';
import {
  type BaseUrlProblem,
  type Connection,
  type Credentials,
  isKeyId,
  parseBaseUrl,
  toConnectionId,
} from '../../../core/model/connection';
import type { ConnectionStore } from '../../../core/sessions/connectionStore';
import { connectionLabel, verifyCredentials } from '../../../core/sessions/fleetSession';
import {
  confirm,
  createUnansweredError,
  type InputProblem,
  pickOne,
  promptForStep,
} from '../../platform/prompts/prompts';
import { toDisplayText } from '../../../core/model/displayText';
import type { PlainCommandId } from '../../../manifest/commands';
import type { Commands } from '../../platform/commands/commandRegistry';
import { parseDocumentAddress } from '../../platform/documents/documentUris';
import { requireConnection } from '../../platform/sessionProvider';
import { showStatusMessage } from '../../platform/commands/statusMessage';
import { iconLabel } from '../../platform/text/displayText';

/** Signs in with an API key. Stores nothing until the service has accepted the key. */
export class SignIn {
  constructor(
    private readonly store: ConnectionStore,
    private readonly open: OpenTransport,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * Prompts for the credentials and signs in. Throws `canceled` if the user dismisses the prompt.
   */
  async run(): Promise<Connection> {
    const offered = environmentKey(this.environment);
    const fromEnvironment = offered && (await pickKeySource(offered)) ? offered : undefined;
    return this.promptForConnection(fromEnvironment);
  }

  private async promptForConnection(
    environmentKey: EnvironmentKey | undefined,
  ): Promise<Connection> {
    const answers = {
      baseUrl: environmentKey?.baseUrl ?? this.store.active?.baseUrl ?? '',
      keyId: environmentKey?.keyId ?? this.getRejectedKeyId(),
    };
    let save: SaveConnection | undefined;
    const finish = async (credentials: Credentials, signal: AbortSignal): Promise<void> => {
      save = await this.verify(credentials, signal);
    };
    const steps = environmentKey ? 1 : 3;
    for (let number = 1; number <= steps;) {
      const answer = await promptForStep({
        ...this.question(number, steps, answers),
        leadsToBox: number === steps,
        submit: async (value, signal) => {
          if (number < steps) return;
          const baseUrl = canonical(number === 1 ? value : answers.baseUrl);
          const keyId = answers.keyId.trim();
          await finish({ baseUrl, keyId, key: environmentKey?.key ?? value.trim() }, signal);
        },
      });
      if (!answer.back && number === 1) answers.baseUrl = answer.value;
      if (!answer.back && number === 2) answers.keyId = answer.value;
      number += answer.back ? -1 : 1;
    }
    if (!save) throw createUnansweredError();
    return save();
  }

  private question(
    number: number,
    of: number,
    { baseUrl, keyId }: { readonly baseUrl: string; readonly keyId: string },
  ) {
    const title = vscode.l10n.t('Sign In to a Fleet Service');
    const step = of > 1 ? { number, of } : undefined;
    switch (number) {
      case 1:
        return {
          title,
          step,
          prompt: vscode.l10n.t('Service address'),
          placeholder: 'https://fleet.example.com',
          value: baseUrl,
          validate: baseUrlProblem,
        };
      case 2:
        return {
          title,
          step,
          prompt: vscode.l10n.t('ID of the API key'),
          placeholder: '0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a',
          value: keyId,
          validate: keyIdProblem,
        };
      default:
        return {
          title,
          step,
          prompt: vscode.l10n.t('API key (stored only in VS Code secret storage)'),
          password: true,
          validate: keyProblem,
        };
    }
  }

  /**
   * Returns the active connection's key ID if the service rejected its key, because signing in
   * again uses the same ID.
   */
  private getRejectedKeyId(): string {
    const { active } = this.store;
    if (!active) return '';
    const { state } = this.store.session(active.id);
    const isRejected = state.kind === 'failing' && state.error.kind === 'unauthenticated';
    return isRejected ? active.keyId : '';
  }

  /** Verifies the credentials, and returns the function that saves them. */
  private async verify(credentials: Credentials, signal: AbortSignal): Promise<SaveConnection> {
    const organizations = await verifyCredentials(credentials, this.open, signal);
    signal.throwIfAborted();
    const known = this.store.connection(toConnectionId(credentials.keyId));
    if (known?.baseUrl === credentials.baseUrl) {
      return () => this.store.signIn({ ...credentials, label: known.label, kind: known.kind });
    }
    const label = connectionLabel(credentials.baseUrl, organizations);
    const request = { ...credentials, label, kind: 'cloud' } as const;
    // A connection whose URL has changed stays as it is.
    if (known) return () => this.store.signIn(request);
    return async () => this.store.signIn({ ...request, readOnly: await promptForReadOnly(label) });
  }
}

type SaveConnection = () => Promise<Connection>;

/**
 * Prompts for the source of the API key. Resolves to true if the user chooses the key from the
 * environment.
 */
async function pickKeySource({ keyId }: EnvironmentKey): Promise<boolean> {
  const items = [
    {
      label: vscode.l10n.t('$(terminal) Use Key from the Environment'),
      description: keyId,
      detail: 'SVC_API_KEY, SVC_API_KEY_ID',
      fromEnvironment: true,
    },
    { label: vscode.l10n.t('$(key) Enter Another Key…'), fromEnvironment: false },
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Sign In to a Fleet Service'),
    placeholder: vscode.l10n.t('Which key do you want to sign in with?'),
  });
  return chosen.fromEnvironment;
}

function canonical(text: string): string {
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) throw new FleetError('invalid', baseUrlMessage(parsed.problem));
  return parsed.baseUrl;
}

/** Validates a URL as the user types it. */
function baseUrlProblem(text: string): InputProblem | undefined {
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) return { message: baseUrlMessage(parsed.problem), severity: 'error' };
  if (!parsed.keyTravelsInClear) return undefined;
  const message = vscode.l10n.t(
    'Without TLS, the API key is sent unencrypted. Use https:// if you can.',
  );
  return { message, severity: 'warning' };
}

function keyIdProblem(text: string): InputProblem | undefined {
  if (isKeyId(text.trim())) return undefined;
  const message =
    text.trim() === ''
      ? vscode.l10n.t('Enter the ID of the API key.')
      : vscode.l10n.t('A key ID looks like 0b2f6f1c-7a41-4d2e-9a55-0c8f1e6d4b3a.');
  return { message, severity: 'error' };
}

function keyProblem(text: string): InputProblem | undefined {
  const key = text.trim();
  if (key === '') return { message: vscode.l10n.t('Enter the API key.'), severity: 'error' };
  if (/\s/.test(key)) {
    return {
      message: vscode.l10n.t("A key can't contain spaces or line breaks."),
      severity: 'error',
    };
  }
  return isKeyId(key)
    ? {
        message: vscode.l10n.t('This looks like a key ID, not a key.'),
        severity: 'warning',
      }
    : undefined;
}

function baseUrlMessage(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t(
        'Enter the address of the service, for example https://fleet.example.com.',
      );
    case 'malformed':
      return vscode.l10n.t('Enter a valid URL, for example https://fleet.example.com.');
    case 'scheme':
      return vscode.l10n.t('The address must begin with https:// or http://.');
    case 'credentials':
      return vscode.l10n.t("The URL can't contain a user name or password.");
    case 'path':
      return vscode.l10n.t('Enter only the scheme, host, and port. Remove the path.');
  }
}

/** Removes a connection and its API key after the user confirms. */
export async function signOut(store: ConnectionStore): Promise<void> {
  const connection = await chooseConnection(store.connections);
  await confirm(
    vscode.l10n.t('Sign out of "{0}"?', connection.label),
    vscode.l10n.t(
      "This removes the API key from this computer for all windows. Open documents stay open, but you can't save them until you sign in again.",
    ),
    vscode.l10n.t('Sign Out'),
  );
  await store.signOut(connection.id);
}

async function chooseConnection(connections: readonly Connection[]): Promise<Connection> {
  const [first, ...others] = connections;
  if (!first) {
    throw new FleetError('invalid', vscode.l10n.t('You are not signed in to any connection.'), {
      action: 'signIn',
    });
  }
  if (others.length === 0) return first;
  const items = connections.map((connection) => ({
    label: connection.label,
    description: connection.baseUrl,
    connection,
  }));
  const title = vscode.l10n.t('Sign Out');
  const placeholder = vscode.l10n.t('Select the connection to sign out of');
  return (await pickOne(items, { title, placeholder })).connection;
}

/**
 * Makes a connection read-only. Unsaved edits stay in their editors.
 * @param id undefined for the active connection.
 */
export async function makeReadOnly(store: ConnectionStore, id?: ConnectionId): Promise<void> {
  const { id: own, label } = requireConnection(store, id);
  await store.setReadOnly(own, true);
  const name = toDisplayText(label);
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ uri, isDirty }) => isDirty && parseDocumentAddress(uri)?.connectionId === own,
  ).length;
  if (unsaved === 0) {
    showStatusMessage(vscode.l10n.t('The connection "{0}" is now read-only.', name));
    return;
  }
  // Has a button, because VS Code shows the full text of a long message only then.
  void vscode.window.showWarningMessage(
    unsaved === 1
      ? vscode.l10n.t(
          'The connection "{0}" is now read-only. One document has unsaved edits, which stay in its editor. To save them, allow changes again, or run "Save a Copy As…".',
          name,
        )
      : vscode.l10n.t(
          'The connection "{0}" is now read-only. {1} documents have unsaved edits, which stay in their editors. To save them, allow changes again, or run "Save a Copy As…".',
          name,
          unsaved,
        ),
    vscode.l10n.t('Close'),
  );
}

/**
 * Allows changes in a read-only connection after the user confirms.
 * @param id undefined for the active connection.
 * @throws ReadOnlyConnectionError if a setting requires that the connection is read-only
 */
export async function allowChanges(store: ConnectionStore, id?: ConnectionId): Promise<void> {
  const connection = requireConnection(store, id);
  const name = toDisplayText(connection.label);
  if (connection.readOnly === 'required') requireWritable(connection, vscode.l10n);
  if (!connection.readOnly) {
    showStatusMessage(vscode.l10n.t('The connection "{0}" already allows changes.', name));
    return;
  }
  await confirm(
    vscode.l10n.t('Allow changes in "{0}"?', name),
    vscode.l10n.t(
      'Commands, editors, and agents in all windows can then change the fleet at {0} with your API key.',
      connection.baseUrl,
    ),
    vscode.l10n.t('Allow Changes'),
  );
  await store.setReadOnly(connection.id, false);
  // A setting or another window can have made the connection read-only in the meantime.
  requireWritable(requireConnection(store, connection.id), vscode.l10n);
  showStatusMessage(vscode.l10n.t('The connection "{0}" now allows changes.', name));
}

/** Prompts for whether a new connection is read-only. Throws `canceled`. */
async function promptForReadOnly(label: string): Promise<boolean> {
  const items = [
    {
      label: vscode.l10n.t('$(edit) Allow Changes'),
      detail: vscode.l10n.t('You can view and change everything that your API key permits.'),
      readOnly: false,
    },
    {
      label: vscode.l10n.t('$(lock) Read-Only'),
      detail: vscode.l10n.t(
        'You can view everything, and changes are rejected on this computer until you allow them.',
      ),
      readOnly: true,
    },
  ];
  const { readOnly } = await pickOne(items, {
    title: vscode.l10n.t('Sign In to a Fleet Service'),
    placeholder: vscode.l10n.t('How do you want to use "{0}"?', toDisplayText(label)),
  });
  return readOnly;
}

type Choice = vscode.QuickPickItem & { readonly act?: () => Promise<void> };

/** Prompts for another connection or for another action on connections. */
export async function switchConnection(store: ConnectionStore, commands: Commands): Promise<void> {
  const { active } = store;
  const connections = store.connections.map((connection): Choice => {
    const current = connection.id === active?.id;
    return {
      label: iconLabel(current ? 'check' : 'cloud', toDisplayText(connection.label)),
      description: connection.readOnly
        ? vscode.l10n.t('{0} · $(lock) read-only', connection.baseUrl)
        : connection.baseUrl,
      act: () => store.activate(connection.id),
    };
  });
  const command = (label: string, id: PlainCommandId): Choice => ({
    label,
    act: () => commands.execute(id),
  });
  const others: Choice[] = [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    command(vscode.l10n.t('$(add) Sign In to Another Service…'), 'fleetwright.connection.signIn'),
    command(vscode.l10n.t('$(rocket) Start Local Fleet'), 'fleetwright.localFleet.start'),
    ...(active
      ? [
          active.readOnly
            ? command(
                vscode.l10n.t('$(unlock) Allow Changes in Connection…'),
                'fleetwright.connection.allowChanges',
              )
            : command(
                vscode.l10n.t('$(lock) Make Connection Read-Only'),
                'fleetwright.connection.makeReadOnly',
              ),
        ]
      : []),
    ...(active
      ? [command(vscode.l10n.t('$(sign-out) Sign Out…'), 'fleetwright.connection.signOut')]
      : []),
  ];
  const chosen = await pickOne([...connections, ...others], {
    title: vscode.l10n.t('Switch Connection'),
    placeholder: vscode.l10n.t('Select the connection to use in this window'),
  });
  await chosen.act?.();
}

/**
 * Environment variables that contain an API key, for example in the environment of a module or
 * script.
 */
const KEY_ID = 'SVC_API_KEY_ID';
const KEY = 'SVC_API_KEY';
const BASE_URL = 'FLEETWRIGHT_BASE_URL';

interface EnvironmentKey {
  readonly keyId: string;
  readonly key: string;
  /** The service's URL, if the environment specifies it. */
  readonly baseUrl: string | undefined;
}

/** Returns the API key pair from the environment, if it is complete. */
export function environmentKey(environment: NodeJS.ProcessEnv): EnvironmentKey | undefined {
  const keyId = environment[KEY_ID]?.trim() ?? '';
  const key = environment[KEY]?.trim() ?? '';
  if (!isKeyId(keyId) || key === '') return undefined;
  return { keyId, key, baseUrl: environment[BASE_URL] || undefined };
}
