## A player in a world of perigee, with a box for each entity that has no scene.
extends Node3D

const JUMP := 1
const RUN := 2
const LOG_IN_PATIENCE_S := 10.0
## The client library of the game. perigee.gdextension has the same names: exports take them along.
const LIBRARIES := {"Linux": "libperigee_client.so", "Windows": "perigee_client.dll"}

@export var url := "http://127.0.0.1:40013"
@export var player_name := "Ada"
@export var credential := ""
## Scenes by the name of the type.
@export var scenes: Dictionary = {}

var player := PerigeePlayer.new()
var look := Vector2.ZERO
var shown := {}
var own: Node3D


func _ready() -> void:
	add_child(player)
	player.ended.connect(_on_ended)
	var problem := player.load(_library())
	if problem != "":
		_on_ended(problem)
		return
	var request := HTTPRequest.new()
	request.timeout = LOG_IN_PATIENCE_S
	add_child(request)
	request.request_completed.connect(_on_log_in)
	var body := JSON.stringify({
		"playerName": player_name,
		"credential": credential,
		"wireVersion": player.wire_version(),
		"schemaHash": player.schema_hash(),
	})
	var headers := ["Content-Type: application/json"]
	if request.request(url + "/v1/log_in", headers, HTTPClient.METHOD_POST, body) != OK:
		_on_ended("the URL %s cannot be used" % url)


## A path on the disk: an exported game has no files below res://, and its libraries beside the program.
func _library() -> String:
	var file: String = LIBRARIES.get(OS.get_name(), "")
	if OS.has_feature("editor"):
		return ProjectSettings.globalize_path("res://addons/perigee").path_join(file)
	return OS.get_executable_path().get_base_dir().path_join(file)


func _on_log_in(result: int, code: int, _headers: PackedStringArray, body: PackedByteArray) -> void:
	if result != HTTPRequest.RESULT_SUCCESS:
		_on_ended("the session service does not answer the log-in; is it running?")
		return
	var reply: Variant = JSON.parse_string(body.get_string_from_utf8())
	if not reply is Dictionary or not reply.has("connectToken"):
		var error: Dictionary = reply.get("error", {}) if reply is Dictionary else {}
		_on_ended(error.get("message", "the session service answers the log-in with %d" % code))
		return
	var problem := player.begin(Marshalls.base64_to_raw(reply["connectToken"]))
	if problem != "":
		_on_ended(problem)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseMotion:
		look.x -= event.relative.x * 0.002
		look.y = clampf(look.y - event.relative.y * 0.002, -1.5, 1.5)


func _process(_delta: float) -> void:
	var right := Input.get_axis("ui_left", "ui_right")
	var forward := Input.get_axis("ui_down", "ui_up")
	var held := RUN if Input.is_key_pressed(KEY_SHIFT) else 0
	var pressed := JUMP if Input.is_action_just_pressed("ui_accept") else 0
	player.control(right, 0.0, forward, look, held, pressed)
	var present := {}
	for entity: Dictionary in player.entities():
		var handle: int = entity["handle"]
		if not shown.has(handle):
			shown[handle] = _make(entity["type"])
		shown[handle].transform = entity["transform"]
		present[handle] = true
		if entity["own"]:
			own = shown[handle]
	for handle: int in shown.keys():
		if not present.has(handle):
			shown[handle].queue_free()
			shown.erase(handle)


func _make(type: String) -> Node3D:
	var node: Node3D
	if scenes.has(type):
		node = scenes[type].instantiate()
	else:
		var box := MeshInstance3D.new()
		box.mesh = BoxMesh.new()
		node = box
	add_child(node)
	return node


func _on_ended(sentence: String) -> void:
	push_error("perigee: " + sentence)
