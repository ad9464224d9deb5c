/** The key of a store's secrets is missing, wrong or cannot be read; the message says what to do. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';
}
