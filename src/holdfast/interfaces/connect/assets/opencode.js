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

export const Holdfast = async ({ directory }) => {
  const given = new Map() // session -> texts for its system prompt
  const asked = new Map() // session -> what its last message calls for, and later ones do not
  const cut = new Set() // sessions whose context was compacted since their last message
  const call = (point, session, values) => hook(point, { session_id: session, cwd: directory, ...values })

  async function give(point, session, values) {
    const answer = await call(point, session, values)
    if (answer.context) given.get(session).push(answer.context)
    asked.set(session, answer.request ? [answer.request] : [])
  }

  return {
    "chat.message": async (input, output) => {
      const session = input.sessionID
      const wasCut = cut.delete(session)
      if (wasCut || !given.has(session)) {
        given.set(session, []) // Holdfast gives everything again, and the system prompt still has the earlier texts
        await give("start", session, { source: wasCut ? "compact" : "startup" })
      }
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      await give("prompt", session, { prompt: texts.join("\n") })
    },
    "experimental.chat.system.transform": async (input, output) => {
      output.system.push(...(given.get(input.sessionID) ?? []), ...(asked.get(input.sessionID) ?? []))
    },
    "tool.execute.after": async (input, output) => {
      if (!given.has(input.sessionID)) given.set(input.sessionID, [])
      const answer = await call("after-tool", input.sessionID, {
        tool_name: input.tool,
        tool_input: input.args,
        tool_use_id: input.callID,
        tool_response: { output: output.output },
      })
      if (answer.context && typeof output.output === "string") output.output += "\n\n" + answer.context
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle" && given.has(session)) await call("stop", session, {})
      if (event.type === "session.compacted" && given.has(session)) {
        cut.add(session)
        await call("compact", session, {})
      }
      if (event.type === "session.deleted" && given.has(session)) await call("end", session, {})
    },
  }
}
