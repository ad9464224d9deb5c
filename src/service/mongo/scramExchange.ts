import { randomBytes } from 'node:crypto';
import { isProof, type ScramCredential, serverSignature } from './scramCredential';

/** A client's first message: its user name and a nonce. */
export interface ClientFirst {
  userName: string;
  /** Message without the header before the name. */
  bare: string;
  nonce: string;
}

const NONCE_BYTES = 24;
/**
 * Matches a message without channel binding and without a separate authorization identity, which is
 * the format that MongoDB drivers send.
 */
const CLIENT_FIRST = /^n,,(n=([^,]+),r=([\x21-\x2B\x2D-\x7E]+))$/u;
const CLIENT_FINAL = /^(c=biws,r=([\x21-\x2B\x2D-\x7E]+)),p=([A-Za-z0-9+/]+={0,2})$/u;
const ESCAPES: Readonly<Record<string, string>> = { '=2C': ',', '=3D': '=' };

/** Parses the first message of an exchange (RFC 5802); undefined if the message is invalid. */
export function readClientFirst(message: string): ClientFirst | undefined {
  const [, bare, name, nonce] = CLIENT_FIRST.exec(message) ?? [];
  if (bare === undefined || name === undefined || nonce === undefined) {
    return undefined;
  }
  return { userName: name.replaceAll(/=2C|=3D/g, (escape) => ESCAPES[escape] ?? ''), bare, nonce };
}

/**
 * The server side of an exchange: creates the server's first message and verifies the client's
 * proof.
 */
export class ScramExchange {
  readonly serverFirst: string;
  readonly #nonce: string;

  constructor(
    private readonly clientFirst: ClientFirst,
    private readonly credential: ScramCredential,
  ) {
    this.#nonce = clientFirst.nonce + randomBytes(NONCE_BYTES).toString('base64');
    const { salt, iterations } = credential;
    this.serverFirst = `r=${this.#nonce},s=${salt.toString('base64')},i=${iterations}`;
  }

  /** Returns the server's final message; undefined if the client doesn't know the password. */
  serverFinal(clientFinal: string): string | undefined {
    const [, withoutProof, nonce, proof] = CLIENT_FINAL.exec(clientFinal) ?? [];
    if (withoutProof === undefined || proof === undefined || nonce !== this.#nonce) {
      return undefined;
    }
    const authMessage = `${this.clientFirst.bare},${this.serverFirst},${withoutProof}`;
    return isProof(this.credential, authMessage, Buffer.from(proof, 'base64'))
      ? `v=${serverSignature(this.credential, authMessage).toString('base64')}`
      : undefined;
  }
}
