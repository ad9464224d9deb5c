import { CommandError, systemErrorCode } from './commandError';

/** The address to listen on, and the options that specify it. */
interface ListenTarget {
  host: string;
  port: number;
  hostOption: string;
  portOption: string;
}

/**
 * Converts an error about listening on an address to an error that explains what to do. Returns
 * other errors unchanged.
 */
export function listenFailure(
  error: unknown,
  { host, port, hostOption, portOption }: ListenTarget,
): unknown {
  const code = systemErrorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port} of ${host} is in use by another program; stop it, or use another port ` +
          `with ${portOption} (0 takes any free one)`,
      );
    case 'EACCES':
      return new CommandError(
        `this user can't listen on port ${port} of ${host}; use a port above 1023 with ${portOption}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(
        `${host} is not an address of this computer (${code}); use another address with ${hostOption}`,
      );
    default:
      return error;
  }
}
