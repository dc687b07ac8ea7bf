"""The server: chat as events, memory over HTTP, and a proxy for anything that speaks like OpenAI."""
