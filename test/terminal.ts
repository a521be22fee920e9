import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { builtProgram } from "./build.ts";

/**
 * Runs the arguments in a terminal of 120 columns, whose output is its standard output; hands signals on.
 * NOFLSH, since a terminal drops unread output at ^C by default.
 */
const TERMINAL = `
import fcntl, os, pty, signal, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    modes = termios.tcgetattr(0)
    modes[3] |= termios.NOFLSH
    termios.tcsetattr(0, termios.TCSANOW, modes)
    os.execvp(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGINT, lambda *_: os.write(fd, b"\\x03"))
while True:
    try:
        text = os.read(fd, 65536)
    except OSError:
        break
    if not text:
        break
    os.write(1, text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Terminals are made with Python here; Node can't. */
export const hasTerminals = spawnSync("python3", ["-c", "import pty"]).status === 0;

export interface Terminal {
  /** All that was written, ^C and escape sequences included. */
  output: () => string;
  interrupt: () => void;
  ended: Promise<number>;
}

interface Options {
  cwd: string;
  env: object;
  program?: string;
}

export function inTerminal(args: string[], { cwd, env, program = builtProgram() }: Options): Terminal {
  const child = spawn("python3", ["-c", TERMINAL, process.execPath, program, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env },
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += String(text)));
  child.stderr.on("data", (text: Buffer) => (output += String(text)));
  return {
    output: () => output.replaceAll("\r\n", "\n"),
    interrupt: () => void child.kill("SIGINT"),
    ended: once(child, "close").then(([code]) => Number(code)),
  };
}
