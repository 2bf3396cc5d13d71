// Written by `holdfast connect opencode`; `holdfast connect opencode --remove` deletes it.
// Tells Holdfast what happens in a session and adds what it answers to the prompt. Failures never reach opencode.
import { spawn } from "node:child_process"

const COMMAND = __COMMAND__
const PATIENCE = 5000

function hook(point, payload) {
  return new Promise((resolve) => {
    let output = ""
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), "hook", "opencode", point], { stdio: ["pipe", "pipe", "ignore"] })
    const timer = setTimeout(() => child.kill(), PATIENCE)
    child.on("error", () => resolve({}))
    child.on("close", () => {
      clearTimeout(timer)
      try {
        resolve(output ? JSON.parse(output) : {})
      } catch {
        resolve({})
      }
    })
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(payload))
  })
}

// As a part of the person's message that opencode does not show, not in the system prompt: memories are information.
function add(output, text) {
  const last = output.parts.at(-1)
  if (!text || !last) return
  const { sessionID, messageID } = last
  output.parts.push({ id: last.id + "0", sessionID, messageID, type: "text", text, synthetic: true })
}

// `opencode run` puts an argument with a blank into quotation marks. In other prompts they are the person's own.
function typed(text) {
  const quoted = process.argv.includes("run") ? /^"((?:[^"]|(?<=\\)")*)"$/s.exec(text) : null
  return quoted ? quoted[1].replaceAll('\\"', '"') : text
}

const joined = (answers) => answers.flatMap((answer) => [answer.context, answer.request]).filter(Boolean).join("\n\n")

export const Holdfast = async ({ directory }) => {
  const sessions = new Map() // session -> "compact" if its context was cut since the last call, else ""
  const call = (point, session, values) => hook(point, { session_id: session, cwd: directory, ...values })

  // What a session is given at first, and again after its context was compacted.
  async function begin(session) {
    const source = sessions.get(session) ?? "startup"
    sessions.set(session, "")
    return source ? [await call("start", session, { source })] : []
  }

  return {
    "chat.message": async (input, output) => {
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const begun = await begin(input.sessionID)
      const answer = await call("prompt", input.sessionID, { prompt: typed(texts.join("\n")) })
      add(output, joined([...begun, answer]))
    },
    "tool.execute.after": async (input, output) => {
      const begun = await begin(input.sessionID)
      const answer = await call("after-tool", input.sessionID, {
        tool_name: input.tool,
        tool_input: input.args,
        tool_use_id: input.callID,
        tool_response: { output: output.output },
      })
      const given = joined([...begun, answer])
      if (given && typeof output.output === "string") output.output += "\n\n" + given
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle" && sessions.has(session)) await call("stop", session, {})
      if (event.type === "session.compacted" && sessions.has(session)) {
        sessions.set(session, "compact")
        await call("compact", session, {})
      }
      if (event.type === "session.deleted" && sessions.has(session)) await call("end", session, {})
    },
  }
}
