/** `ws` with types; see `ws.d.ts`. It reads the environment when it is loaded, so import it when it is needed. */
// @ts-types="./ws.d.ts"
export { WebSocket, WebSocketServer } from "npm-ws";
