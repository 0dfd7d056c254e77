// Printed by scripts/codegen.mjs from schemas/. Do not edit.
/** The schema files by path, for `precis schema` and `precis plugins`. */
export const schemas: Readonly<Record<string, object>> = {
	"config": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "précis config",
		"description": "How transcripts are compacted: precis.config.json.",
		"type": "object",
		"required": [
			"strategy"
		],
		"properties": {
			"$schema": {
				"type": "string",
				"description": "Where an editor finds the JSON Schema of this file."
			},
			"plugins": {
				"type": "array",
				"items": {
					"type": "string",
					"minLength": 1
				},
				"default": [],
				"description": "Packages, paths relative to this file, or file: URLs of the plugins to load."
			},
			"templates": {
				"type": "object",
				"propertyNames": {
					"pattern": "^[A-Za-z][A-Za-z0-9_-]*$"
				},
				"additionalProperties": {
					"$ref": "template.schema.json"
				},
				"default": {},
				"description": "Templates of one's own, by name."
			},
			"tokens": {
				"type": "object",
				"default": {},
				"description": "How tokens are counted and how many there are.",
				"properties": {
					"counter": {
						"anyOf": [
							{
								"type": "string",
								"minLength": 1
							},
							{
								"$ref": "#/definitions/counter"
							}
						],
						"default": "heuristic",
						"description": "The counter, by name or with options."
					},
					"model": {
						"type": "string",
						"minLength": 1,
						"description": "The model whose window holds the transcript, as \"provider/model\"."
					},
					"window": {
						"type": "integer",
						"minimum": 1,
						"description": "The size of the context window in tokens; absent means what the model is known to have, 200000 with no model named."
					},
					"overheadTokens": {
						"type": "integer",
						"minimum": 0,
						"default": 0,
						"description": "Tokens of tools and instructions that are sent beside the transcript."
					}
				},
				"additionalProperties": false
			},
			"trigger": {
				"$ref": "#/definitions/trigger"
			},
			"target": {
				"description": "The size that a pass aims at; absent means 0.7 of the smallest token threshold in the trigger, else 0.56 of the window.",
				"anyOf": [
					{
						"type": "object",
						"required": [
							"percent"
						],
						"properties": {
							"percent": {
								"type": "number",
								"exclusiveMinimum": 0,
								"maximum": 100,
								"description": "Share of the window in percent."
							}
						},
						"additionalProperties": false
					},
					{
						"type": "object",
						"required": [
							"tokens"
						],
						"properties": {
							"tokens": {
								"type": "integer",
								"minimum": 1,
								"description": "A number of tokens."
							}
						},
						"additionalProperties": false
					}
				]
			},
			"strategy": {
				"description": "What is evicted: one strategy, or a list that runs as a pipeline.",
				"anyOf": [
					{
						"$ref": "#/definitions/strategy"
					},
					{
						"type": "array",
						"minItems": 1,
						"items": {
							"$ref": "#/definitions/strategy"
						}
					}
				]
			},
			"backend": {
				"description": "How a summary is made: one backend, a fallback chain, or null for none. Absent means extractive.",
				"anyOf": [
					{
						"type": "null"
					},
					{
						"$ref": "#/definitions/backend"
					},
					{
						"type": "array",
						"minItems": 1,
						"items": {
							"$ref": "#/definitions/backend"
						}
					}
				]
			},
			"minProgress": {
				"type": "number",
				"minimum": 0,
				"maximum": 1,
				"default": 0.05,
				"description": "The share of what was over target that a pass must win; less is unchanged."
			}
		},
		"additionalProperties": false,
		"definitions": {
			"strategy": {
				"title": "Strategy use",
				"description": "A strategy by name, with its own options beside \"use\".",
				"type": "object",
				"required": [
					"use"
				],
				"properties": {
					"use": {
						"type": "string",
						"minLength": 1,
						"description": "The name of the strategy: built in, or from a plugin.",
						"examples": [
							"summarize-older",
							"structured",
							"keep-recent",
							"drop-reasoning",
							"drop-failed-tool-results",
							"drop-tool-calls",
							"clear-tool-results",
							"truncate-tool-results",
							"pipeline",
							"fallback"
						]
					}
				},
				"allOf": [
					{
						"if": {
							"properties": {
								"use": {
									"const": "summarize-older"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/summarize-older.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "structured"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/structured.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "keep-recent"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/keep-recent.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "drop-reasoning"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/drop-reasoning.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "drop-failed-tool-results"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/drop-failed-tool-results.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "drop-tool-calls"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/drop-tool-calls.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "clear-tool-results"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/clear-tool-results.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "truncate-tool-results"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/truncate-tool-results.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "pipeline"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/pipeline.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "fallback"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "strategies/fallback.schema.json"
						}
					}
				]
			},
			"backend": {
				"title": "Backend use",
				"description": "A backend by name, with its own options beside \"use\".",
				"type": "object",
				"required": [
					"use"
				],
				"properties": {
					"use": {
						"type": "string",
						"minLength": 1,
						"description": "The name of the backend: built in, or from a plugin.",
						"examples": [
							"extractive",
							"ai-sdk",
							"http"
						]
					}
				},
				"allOf": [
					{
						"if": {
							"properties": {
								"use": {
									"const": "extractive"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "backends/extractive.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "ai-sdk"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "backends/ai-sdk.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "http"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "backends/http.schema.json"
						}
					}
				]
			},
			"trigger": {
				"title": "Trigger use",
				"description": "A trigger by name, with its own options beside \"use\".",
				"type": "object",
				"required": [
					"use"
				],
				"properties": {
					"use": {
						"type": "string",
						"minLength": 1,
						"description": "The name of the trigger: built in, or from a plugin.",
						"examples": [
							"context-window",
							"tokens",
							"messages",
							"turns",
							"any",
							"all",
							"never"
						]
					}
				},
				"allOf": [
					{
						"if": {
							"properties": {
								"use": {
									"const": "context-window"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/context-window.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "tokens"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/tokens.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "messages"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/messages.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "turns"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/turns.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "any"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/any.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "all"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/all.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "never"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "triggers/never.schema.json"
						}
					}
				]
			},
			"counter": {
				"title": "Counter use",
				"description": "A counter by name, with its own options beside \"use\".",
				"type": "object",
				"required": [
					"use"
				],
				"properties": {
					"use": {
						"type": "string",
						"minLength": 1,
						"description": "The name of the counter: built in, or from a plugin.",
						"examples": [
							"heuristic",
							"ratio",
							"o200k"
						]
					}
				},
				"allOf": [
					{
						"if": {
							"properties": {
								"use": {
									"const": "heuristic"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "counters/heuristic.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "ratio"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "counters/ratio.schema.json"
						}
					},
					{
						"if": {
							"properties": {
								"use": {
									"const": "o200k"
								}
							},
							"required": [
								"use"
							]
						},
						"then": {
							"$ref": "counters/o200k.schema.json"
						}
					}
				]
			}
		}
	},
	"template": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Template",
		"description": "The sections and the header of a structured summary.",
		"type": "object",
		"properties": {
			"extends": {
				"type": "string",
				"minLength": 1,
				"description": "The template that this one starts from: its header unless one is given, and its sections before the ones given here."
			},
			"header": {
				"type": "string",
				"description": "The text above the sections, emitted verbatim; it may be empty."
			},
			"sections": {
				"type": "array",
				"minItems": 1,
				"description": "The sections in their order; canonical ones by id alone.",
				"items": {
					"anyOf": [
						{
							"enum": [
								"key_facts",
								"decisions",
								"pending_tasks",
								"open_questions"
							]
						},
						{
							"$ref": "#/definitions/section"
						}
					]
				}
			}
		},
		"additionalProperties": false,
		"definitions": {
			"section": {
				"title": "Template section",
				"description": "A section of a summary.",
				"type": "object",
				"required": [
					"id",
					"title",
					"purpose"
				],
				"properties": {
					"id": {
						"type": "string",
						"pattern": "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
						"maxLength": 64,
						"description": "The snake_case name under which consumers find the section."
					},
					"title": {
						"type": "string",
						"minLength": 1,
						"maxLength": 120,
						"description": "The heading text, in any language."
					},
					"purpose": {
						"type": "string",
						"minLength": 1,
						"description": "One sentence that tells the model what belongs here."
					},
					"aliases": {
						"type": "array",
						"items": {
							"type": "string",
							"minLength": 1,
							"maxLength": 120
						},
						"description": "Other headings and JSON keys that mean this section."
					},
					"maxItems": {
						"type": "integer",
						"minimum": 1,
						"maximum": 1000,
						"description": "How many entries are kept at most; 50 where absent."
					}
				},
				"additionalProperties": false
			}
		}
	},
	"summary-options": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Summary options",
		"description": "The options that every strategy that summarizes takes.",
		"definitions": {
			"kind": {
				"enum": [
					"system",
					"developer",
					"user",
					"assistant",
					"tool",
					"context",
					"notification"
				],
				"description": "What a message is to compaction: its role, unless providerOptions.precis.kind says otherwise."
			},
			"template": {
				"type": "string",
				"minLength": 1,
				"default": "default",
				"description": "The template of the summary: \"default\", \"action-only\", or a name from \"templates\"."
			},
			"summaryTokens": {
				"type": "object",
				"description": "The token ceiling of one summary; the smaller of this and half of what the summary replaces is its budget.",
				"default": {},
				"properties": {
					"fraction": {
						"type": "number",
						"exclusiveMinimum": 0,
						"maximum": 0.95,
						"default": 0.2,
						"description": "Share of the target that the summary may take."
					},
					"max": {
						"type": "integer",
						"minimum": 1,
						"default": 6000,
						"description": "Upper bound in tokens, whatever the target."
					}
				},
				"additionalProperties": false
			},
			"transcriptMaxTokens": {
				"type": "integer",
				"minimum": 1,
				"description": "How many tokens of evicted messages the summarizer is shown at once; absent means what fits its window."
			},
			"parseOutput": {
				"type": "boolean",
				"default": true,
				"description": "Whether the model's answer is read into sections; if false its text is carried as it is below the header."
			},
			"malformed": {
				"enum": [
					"raw",
					"fail"
				],
				"default": "raw",
				"description": "What happens when no section is recognized twice: carry the raw text as one entry, or fail with MALFORMED_SUMMARY."
			},
			"empty": {
				"enum": [
					"accept",
					"fail"
				],
				"default": "accept",
				"description": "What happens when the summary is deliberately empty twice: commit the one-line stub, or fail with BLANK_SUMMARY."
			},
			"summaryRole": {
				"enum": [
					"user",
					"assistant"
				],
				"default": "user",
				"description": "The role of the message that carries the summary."
			},
			"ledger": {
				"description": "The deterministic last section \"Identifiers\": the paths, URLs, symbols, ids, versions, error codes and numbers of the evicted messages that later work is likely to need, separated by spaces; false leaves it out. With neither figure given it takes at most half of the summary's budget and at most 1400 tokens, less where little is named, and nothing of a budget below 200.",
				"default": {},
				"anyOf": [
					{
						"const": false
					},
					{
						"type": "object",
						"properties": {
							"maxTokens": {
								"type": "integer",
								"minimum": 1,
								"description": "Upper bound of the ledger in tokens, its heading included; given alone, only this bound holds."
							},
							"fraction": {
								"type": "number",
								"exclusiveMinimum": 0,
								"maximum": 1,
								"description": "Share of the summary's budget that the ledger may take; given alone, only this bound holds; with both, the smaller one."
							},
							"kinds": {
								"type": "array",
								"uniqueItems": true,
								"minItems": 1,
								"items": {
									"enum": [
										"path",
										"url",
										"symbol",
										"id",
										"version",
										"error",
										"number"
									]
								},
								"description": "Which kinds of identifier are listed; absent means all."
							}
						},
						"additionalProperties": false
					}
				]
			}
		}
	},
	"strategies/clear-tool-results": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Clear tool results",
		"description": "Replaces old tool outputs by a short placeholder; call and result stay.",
		"type": "object",
		"properties": {
			"use": {
				"const": "clear-tool-results",
				"description": "The strategy \"clear-tool-results\"."
			},
			"keepLast": {
				"type": "integer",
				"minimum": 0,
				"default": 3,
				"description": "How many of the newest messages stay verbatim; 0 keeps the last user message only."
			},
			"tools": {
				"type": "array",
				"items": {
					"type": "string",
					"minLength": 1
				},
				"minItems": 1,
				"description": "Names of the tools concerned; absent means all tools."
			},
			"placeholder": {
				"type": "string",
				"minLength": 1,
				"default": "[Old tool result cleared to save space]",
				"description": "The text that stands where a tool's output stood."
			}
		},
		"additionalProperties": false
	},
	"strategies/drop-failed-tool-results": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Drop failed tool results",
		"description": "Removes failed tool results and the calls that they answer.",
		"type": "object",
		"properties": {
			"use": {
				"const": "drop-failed-tool-results",
				"description": "The strategy \"drop-failed-tool-results\"."
			},
			"dropEmptyMessages": {
				"type": "boolean",
				"default": true,
				"description": "Whether a message whose last part was removed is dropped; if false such a message stays as it was."
			}
		},
		"additionalProperties": false
	},
	"strategies/drop-reasoning": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Drop reasoning",
		"description": "Removes reasoning, but never what a provider needs beside a kept tool call.",
		"type": "object",
		"properties": {
			"use": {
				"const": "drop-reasoning",
				"description": "The strategy \"drop-reasoning\"."
			},
			"dropEmptyMessages": {
				"type": "boolean",
				"default": true,
				"description": "Whether a message whose last part was removed is dropped; if false such a message stays as it was."
			}
		},
		"additionalProperties": false
	},
	"strategies/drop-tool-calls": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Drop tool calls",
		"description": "Removes old tool calls with all that belongs to them.",
		"type": "object",
		"properties": {
			"use": {
				"const": "drop-tool-calls",
				"description": "The strategy \"drop-tool-calls\"."
			},
			"keepLast": {
				"type": "integer",
				"minimum": 0,
				"default": 3,
				"description": "How many of the newest messages stay verbatim; 0 keeps the last user message only."
			},
			"tools": {
				"type": "array",
				"items": {
					"type": "string",
					"minLength": 1
				},
				"minItems": 1,
				"description": "Names of the tools concerned; absent means all tools."
			}
		},
		"additionalProperties": false
	},
	"strategies/fallback": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Fallback",
		"description": "Uses the first strategy that does not fail.",
		"type": "object",
		"properties": {
			"use": {
				"const": "fallback",
				"description": "The strategy \"fallback\"."
			},
			"steps": {
				"type": "array",
				"minItems": 1,
				"items": {
					"$ref": "../config.schema.json#/definitions/strategy"
				},
				"description": "The strategies, tried in order."
			}
		},
		"additionalProperties": false,
		"required": [
			"steps"
		]
	},
	"strategies/keep-recent": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Keep recent",
		"description": "Drops what summarize-older would have summarized; needs no backend.",
		"type": "object",
		"properties": {
			"use": {
				"const": "keep-recent",
				"description": "The strategy \"keep-recent\"."
			},
			"keepLast": {
				"type": "integer",
				"minimum": 0,
				"default": 8,
				"description": "How many of the newest removable messages stay verbatim; 0 keeps the last user message only."
			},
			"preserveKinds": {
				"type": "array",
				"items": {
					"$ref": "../summary-options.schema.json#/definitions/kind"
				},
				"uniqueItems": false,
				"default": [],
				"description": "Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too."
			},
			"keepTokens": {
				"type": "integer",
				"minimum": 1,
				"description": "Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides."
			}
		},
		"additionalProperties": false
	},
	"strategies/pipeline": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Pipeline",
		"description": "Runs strategies one after another.",
		"type": "object",
		"properties": {
			"use": {
				"const": "pipeline",
				"description": "The strategy \"pipeline\"."
			},
			"steps": {
				"type": "array",
				"minItems": 1,
				"items": {
					"$ref": "../config.schema.json#/definitions/strategy"
				},
				"description": "The strategies, run one after another."
			},
			"until": {
				"enum": [
					"end",
					"fits"
				],
				"default": "end",
				"description": "Whether all steps run, or only until the target is met."
			}
		},
		"additionalProperties": false,
		"required": [
			"steps"
		]
	},
	"strategies/structured": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Structured",
		"description": "Splits at a unit-safe turn boundary and replaces the older side by one summary with stable headings.",
		"type": "object",
		"properties": {
			"use": {
				"const": "structured",
				"description": "The strategy \"structured\"."
			},
			"preserveRecent": {
				"type": "integer",
				"minimum": 1,
				"default": 6,
				"description": "How many of the newest messages stay at least."
			},
			"minMessages": {
				"type": "integer",
				"minimum": 2,
				"default": 8,
				"description": "At or below this many messages nothing happens."
			},
			"keepTokens": {
				"type": "integer",
				"minimum": 1,
				"description": "Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides."
			},
			"template": {
				"$ref": "../summary-options.schema.json#/definitions/template"
			},
			"summaryTokens": {
				"$ref": "../summary-options.schema.json#/definitions/summaryTokens"
			},
			"transcriptMaxTokens": {
				"$ref": "../summary-options.schema.json#/definitions/transcriptMaxTokens"
			},
			"parseOutput": {
				"$ref": "../summary-options.schema.json#/definitions/parseOutput"
			},
			"malformed": {
				"$ref": "../summary-options.schema.json#/definitions/malformed"
			},
			"empty": {
				"$ref": "../summary-options.schema.json#/definitions/empty"
			},
			"summaryRole": {
				"$ref": "../summary-options.schema.json#/definitions/summaryRole"
			},
			"ledger": {
				"$ref": "../summary-options.schema.json#/definitions/ledger"
			}
		},
		"additionalProperties": false
	},
	"strategies/summarize-older": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Summarize older",
		"description": "Keeps the newest messages verbatim and replaces everything older by one summary.",
		"type": "object",
		"properties": {
			"use": {
				"const": "summarize-older",
				"description": "The strategy \"summarize-older\"."
			},
			"keepLast": {
				"type": "integer",
				"minimum": 0,
				"default": 8,
				"description": "How many of the newest removable messages stay verbatim; 0 keeps the last user message only."
			},
			"preserveKinds": {
				"type": "array",
				"items": {
					"$ref": "../summary-options.schema.json#/definitions/kind"
				},
				"uniqueItems": false,
				"default": [],
				"description": "Kinds of message that are never evicted; a set, the order does not matter. Where tool results stay, the assistant's last word behind them stays too."
			},
			"keepTokens": {
				"type": "integer",
				"minimum": 1,
				"description": "Of the older messages, as many more as fit in this many tokens stay too, so that the count is a floor. Absent: the count alone decides."
			},
			"template": {
				"$ref": "../summary-options.schema.json#/definitions/template"
			},
			"summaryTokens": {
				"$ref": "../summary-options.schema.json#/definitions/summaryTokens"
			},
			"transcriptMaxTokens": {
				"$ref": "../summary-options.schema.json#/definitions/transcriptMaxTokens"
			},
			"parseOutput": {
				"$ref": "../summary-options.schema.json#/definitions/parseOutput"
			},
			"malformed": {
				"$ref": "../summary-options.schema.json#/definitions/malformed"
			},
			"empty": {
				"$ref": "../summary-options.schema.json#/definitions/empty"
			},
			"summaryRole": {
				"$ref": "../summary-options.schema.json#/definitions/summaryRole"
			},
			"ledger": {
				"$ref": "../summary-options.schema.json#/definitions/ledger"
			}
		},
		"additionalProperties": false
	},
	"strategies/truncate-tool-results": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Truncate tool results",
		"description": "Shortens oversized tool outputs, errors too, and says how much was cut.",
		"type": "object",
		"properties": {
			"use": {
				"const": "truncate-tool-results",
				"description": "The strategy \"truncate-tool-results\"."
			},
			"maxTokens": {
				"type": "integer",
				"minimum": 16,
				"default": 2000,
				"description": "The tokens that one tool output may keep."
			},
			"keep": {
				"enum": [
					"both",
					"head",
					"tail"
				],
				"default": "both",
				"description": "Which end of an oversized output is kept."
			},
			"tools": {
				"type": "array",
				"items": {
					"type": "string",
					"minLength": 1
				},
				"minItems": 1,
				"description": "Names of the tools concerned; absent means all tools."
			}
		},
		"additionalProperties": false
	},
	"backends/ai-sdk": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "AI SDK",
		"description": "Asks any model of the Vercel AI SDK.",
		"type": "object",
		"properties": {
			"use": {
				"const": "ai-sdk",
				"description": "The backend \"ai-sdk\"."
			},
			"model": {
				"type": "string",
				"minLength": 1,
				"description": "The model as \"provider/model\", for example \"openai/gpt-5-mini\"; absent only where code hands in a LanguageModel."
			},
			"baseURL": {
				"type": "string",
				"minLength": 1,
				"description": "The endpoint of the provider; needed for \"openai-compatible\" servers such as Ollama, LM Studio, vLLM or llama.cpp."
			},
			"api": {
				"enum": [
					"chat",
					"responses"
				],
				"description": "Which API of the provider \"openai\" is used; absent means its own default."
			},
			"mode": {
				"enum": [
					"text",
					"object"
				],
				"default": "text",
				"description": "Whether the model writes headings, or structured output by the template's JSON Schema; object falls back to text where the model cannot."
			},
			"temperature": {
				"type": "number",
				"minimum": 0,
				"maximum": 2,
				"description": "The sampling temperature; absent means the provider's own default."
			},
			"window": {
				"type": "integer",
				"minimum": 1,
				"description": "The model's context window in tokens, prompt and answer together; absent means what the catalogue of models knows. Set it for local servers, whose window is theirs to choose."
			},
			"maxOutputTokens": {
				"type": "integer",
				"minimum": 1,
				"description": "Upper bound of the tokens that the model may write, its reasoning included; absent means what the summary's budget needs, as far as the model takes it."
			},
			"reasoningTokens": {
				"type": "integer",
				"minimum": 0,
				"description": "Tokens that the output limit has for the model's reasoning, on top of the summary's; absent means 16384 for models that the catalogue knows to reason, else 0."
			},
			"maxRetries": {
				"type": "integer",
				"minimum": 0,
				"maximum": 10,
				"default": 2,
				"description": "How often the transport repeats a call after a passing fault."
			},
			"timeoutMs": {
				"type": "integer",
				"minimum": 1,
				"maximum": 2147483647,
				"default": 120000,
				"description": "Milliseconds that one call may take."
			},
			"headers": {
				"type": "object",
				"additionalProperties": {
					"type": "string"
				},
				"description": "HTTP headers sent with each call; never put a key here, keys come from the environment."
			},
			"providerOptions": {
				"type": "object",
				"additionalProperties": {
					"type": "object"
				},
				"description": "Provider options handed on as they are, by provider name."
			},
			"apiKeyEnv": {
				"type": "string",
				"pattern": "^[A-Za-z_][A-Za-z0-9_]*$",
				"description": "The environment variable that holds the key; absent means the provider's own."
			}
		},
		"additionalProperties": false
	},
	"backends/extractive": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Extractive",
		"description": "Picks whole sentences and bullets from the evicted messages; no model, no network, deterministic.",
		"type": "object",
		"properties": {
			"use": {
				"const": "extractive",
				"description": "The backend \"extractive\"."
			}
		},
		"additionalProperties": false
	},
	"backends/http": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "HTTP",
		"description": "POSTs the request as JSON to a service.",
		"type": "object",
		"properties": {
			"use": {
				"const": "http",
				"description": "The backend \"http\"."
			},
			"url": {
				"type": "string",
				"pattern": "^https?://",
				"description": "Where the request goes."
			},
			"timeoutMs": {
				"type": "integer",
				"minimum": 1,
				"maximum": 2147483647,
				"default": 60000,
				"description": "Milliseconds that one call may take."
			},
			"maxBytes": {
				"type": "integer",
				"minimum": 1,
				"default": 4000000,
				"description": "The largest answer, in bytes, that is read."
			},
			"maxRetries": {
				"type": "integer",
				"minimum": 0,
				"maximum": 10,
				"default": 2,
				"description": "How often a call is repeated after 429 or 503."
			},
			"headers": {
				"type": "object",
				"additionalProperties": {
					"type": "string"
				},
				"description": "HTTP headers sent with each call."
			},
			"tokenEnv": {
				"type": "string",
				"pattern": "^[A-Za-z_][A-Za-z0-9_]*$",
				"description": "The environment variable that holds a bearer token; absent means none is sent."
			}
		},
		"additionalProperties": false,
		"required": [
			"url"
		]
	},
	"triggers/all": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "All",
		"description": "Fires when all of its triggers fire.",
		"type": "object",
		"properties": {
			"use": {
				"const": "all",
				"description": "The trigger \"all\"."
			},
			"of": {
				"type": "array",
				"minItems": 1,
				"items": {
					"$ref": "../config.schema.json#/definitions/trigger"
				},
				"description": "The triggers that are asked."
			}
		},
		"additionalProperties": false,
		"required": [
			"of"
		]
	},
	"triggers/any": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Any",
		"description": "Fires when one of its triggers fires.",
		"type": "object",
		"properties": {
			"use": {
				"const": "any",
				"description": "The trigger \"any\"."
			},
			"of": {
				"type": "array",
				"minItems": 1,
				"items": {
					"$ref": "../config.schema.json#/definitions/trigger"
				},
				"description": "The triggers that are asked."
			}
		},
		"additionalProperties": false,
		"required": [
			"of"
		]
	},
	"triggers/context-window": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Context window",
		"description": "Fires when the transcript fills a share of the model's window.",
		"type": "object",
		"properties": {
			"use": {
				"const": "context-window",
				"description": "The trigger \"context-window\"."
			},
			"percent": {
				"type": "number",
				"exclusiveMinimum": 0,
				"maximum": 100,
				"default": 80,
				"description": "The share of the window, in percent, at which the trigger fires."
			}
		},
		"additionalProperties": false
	},
	"triggers/messages": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Messages",
		"description": "Fires above a number of messages.",
		"type": "object",
		"properties": {
			"use": {
				"const": "messages",
				"description": "The trigger \"messages\"."
			},
			"max": {
				"type": "integer",
				"minimum": 1,
				"description": "Fires when the transcript has more than this many messages."
			}
		},
		"additionalProperties": false,
		"required": [
			"max"
		]
	},
	"triggers/never": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Never",
		"description": "Never fires.",
		"type": "object",
		"properties": {
			"use": {
				"const": "never",
				"description": "The trigger \"never\"."
			}
		},
		"additionalProperties": false
	},
	"triggers/tokens": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Tokens",
		"description": "Fires above a number of tokens.",
		"type": "object",
		"properties": {
			"use": {
				"const": "tokens",
				"description": "The trigger \"tokens\"."
			},
			"max": {
				"type": "integer",
				"minimum": 1,
				"description": "Fires when the transcript has more than this many tokens."
			}
		},
		"additionalProperties": false,
		"required": [
			"max"
		]
	},
	"triggers/turns": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Turns",
		"description": "Fires above a number of turns; a turn starts at a user message.",
		"type": "object",
		"properties": {
			"use": {
				"const": "turns",
				"description": "The trigger \"turns\"."
			},
			"max": {
				"type": "integer",
				"minimum": 1,
				"description": "Fires when the transcript has more than this many turns."
			}
		},
		"additionalProperties": false,
		"required": [
			"max"
		]
	},
	"counters/heuristic": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Heuristic",
		"description": "Weighs classes of characters; needs no tokenizer.",
		"type": "object",
		"properties": {
			"use": {
				"const": "heuristic",
				"description": "The counter \"heuristic\"."
			}
		},
		"additionalProperties": false
	},
	"counters/o200k": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "o200k",
		"description": "Counts exactly as the o200k tokenizer does; needs the package gpt-tokenizer.",
		"type": "object",
		"properties": {
			"use": {
				"const": "o200k",
				"description": "The counter \"o200k\"."
			}
		},
		"additionalProperties": false
	},
	"counters/ratio": {
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title": "Ratio",
		"description": "Divides characters (code points) by a ratio and adds a constant for each message.",
		"type": "object",
		"properties": {
			"use": {
				"const": "ratio",
				"description": "The counter \"ratio\"."
			},
			"preset": {
				"enum": [
					"openai",
					"anthropic",
					"gemini",
					"local"
				],
				"description": "Figures for a family of models; the other options win over it."
			},
			"charsPerToken": {
				"type": "number",
				"exclusiveMinimum": 0,
				"maximum": 100,
				"description": "Characters for one token; 4 without a preset."
			},
			"perMessage": {
				"type": "number",
				"minimum": 0,
				"maximum": 1000,
				"description": "Tokens added for each message; 4 without a preset."
			}
		},
		"additionalProperties": false
	}
};
